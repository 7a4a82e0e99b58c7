"""An agent for the planner's rehearsals: it fills plan and reviews through the commands that the prints name."""

import json
import re
from collections.abc import Callable
from typing import Final

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.relay import NeedsUserInput, Option, Question, UserResponse
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from lib.workflow.core import Workflow
from lib.workflow.questions import answered
from lib.workflow.render.xml import render
from lib.workflow.testing.reader import Page, ReaderError, Run, Simple
from lib.workflow.types import AgentRole
from skills.planner.phases import Part, row_of
from skills.planner.schema.phase import Phase
from skills.planner.state.run_state import RunState
from skills.planner.texts import categories

QUESTIONS: Final = NeedsUserInput(
    (Question(header="Store", text="Where are counters kept?", options=(Option(label="memory"), Option(label="disk"))),)
)
DIFF: Final = "--- a/src/api.py\n+++ b/src/api.py\n@@ -1 +1,2 @@\n def handle(request):\n+    limit(request)\n"
ITEMS: Final = [
    {"id": f"qa-{number:03d}", "scope": "*", "check": f"Condition {number} holds"} for number in range(1, 6)
]


class Planner(Simple):
    """Writes a small plan; each phase fails its first review by one item; the architect asks once."""

    checks: tuple[str, ...] = ("validate", "submit")
    """What an agent runs at the end."""
    asking: Phase = Phase.PLAN_DESIGN
    """In which an agent asks."""

    def __init__(self, workflows: dict[str, Workflow], run: Run) -> None:
        super().__init__()
        self.workflows = workflows
        self.run = run
        self.state_dir = ""
        self.asked = False

    def work(self, page: Page) -> None:
        """The work of a step, by its script and its id."""
        workflow = self.workflows[page.command.module]
        step = workflow.step(page.header.step).id
        last = page.header.step == page.header.total
        if step == "context-verify":
            self.state_dir = option(page, "--state-dir")
            self.capture(page)
        phase = next((each for each in Phase if workflow.name.startswith(each)), None)
        if phase is None or page.role is AgentRole.ORCHESTRATOR:
            return
        self.state_dir = option(page, "--state-dir")
        part = next(each for each in Part if row_of(phase).module(each) == page.command.module)
        if part is Part.EXECUTE and last and not self.wants_to_ask(page):
            self.fill(page, phase)
            self.submit(page)
        if part is Part.FIX and last:
            self.mend(page, phase)
            self.submit(page)
        if part is Part.DECOMPOSE and step == "coverage":
            category = next(iter(categories(phase)))
            given = json.dumps([{**item, "category": category} for item in ITEMS])
            self.qr(page, phase, "create", "--items-file", "-", given=given)
            for group, items in (("first", ("qa-001", "qa-002", "qa-003")), ("second", ("qa-004", "qa-005"))):
                self.qr(page, phase, "assign-group", group, *(word for item in items for word in ("--item", item)))
        if part is Part.VERIFY and step == "verify":
            self.judge(page, phase)

    def capture(self, page: Page) -> None:
        """The context, field by field."""
        for field, entries in CONTEXT.items():
            self.plan(page, "set-context", field, *(word for entry in entries for word in ("--entry", entry)))
        self.plan(page, "freeze-context")

    def judge(self, page: Page, phase: Phase) -> None:
        """Item 2 fails in the first round of every phase; all else passes."""
        review = RunState(self.state_dir).review(phase)
        assert review is not None
        passing, failing = commands(page, "update-item")
        item = passing.words[passing.words.index("update-item") + 1]
        found = self.fault(phase, item, review.iteration)
        if found:
            path = failing.words[failing.words.index("--finding-file") + 1]
            with open(path, "w", encoding="utf-8") as file:
                file.write(found)
            self.do(failing)
        else:
            self.do(passing)

    def fault(self, phase: Phase, item: str, iteration: int) -> str:
        """What is wrong with an item; nothing where it passes."""
        return "M-001 names no test, so nobody sees it break." if (item, iteration) == ("qa-002", 1) else ""

    def fill(self, page: Page, phase: Phase) -> None:
        """The work of a phase."""
        FILLING[phase](self, page)

    def mend(self, page: Page, phase: Phase) -> None:
        """The repair of what its review found."""
        self.plan(page, "set-risk", "--risk", f"Found in review of {phase}", "--mitigation", "Mended", role="architect")

    def submit(self, page: Page) -> None:
        """Validates, and says that the work is finished, as the page says."""
        for name in self.checks:
            (command,) = commands(page, name)[:1]
            self.do(command)

    def plan(self, page: Page, *words: str, role: str | None = None, given: str = "") -> None:
        """A command of cli.plan that the page names."""
        named = commands(page, "skills.planner.cli.plan")
        who = ("--role", role or _role(page))
        if not named:
            raise ReaderError(f"{page.command} names no command of cli.plan")
        self.do(Command("skills.planner.cli.plan", ("--state-dir", self.state_dir, *who, *words)), given)

    def qr(self, page: Page, phase: Phase, *words: str, given: str = "") -> None:
        """A command of cli.qr that the page names."""
        if not any(words[0] in command.words for command in commands(page, "skills.planner.cli.qr")):
            raise ReaderError(f"{page.command} does not name {words[0]}")
        options = ("--state-dir", self.state_dir, "--role", _role(page), "--qr-phase", phase)
        self.do(Command("skills.planner.cli.qr", (*options, *words)), given)

    def do(self, command: Command, given: str = "") -> None:
        """Runs a command. Raises ReaderError where it is refused."""
        ran = self.run(command, given)
        if ran.status:
            raise ReaderError(f"{command}\n{ran.out}{ran.errors}")

    def wants_to_ask(self, page: Page) -> bool:
        """The architect, before it has an answer."""
        return page.role is AgentRole.ARCHITECT and not RunState(self.state_dir).run.answers

    def reply(self, page: Page) -> str:
        """The question, the verdict that the page gives, or a word."""
        if self.wants_to_ask(page):
            return render(QUESTIONS)
        verdict = (
            re.search(r"\b(PASS|FAIL: [\w, -]+)", text_of(page)) if page.role is AgentRole.QUALITY_REVIEWER else None
        )
        return verdict[1] if verdict else "done"

    def answer(self, questions: NeedsUserInput) -> UserResponse:
        """The first option, kept in the state as the relay says."""
        header = questions.questions[0].header
        words = ("--state-dir", self.state_dir, "--role", "orchestrator", "set-answer", self.asking)
        self.do(Command("skills.planner.cli.plan", (*words, "--header", header, "--text", "memory")))
        return answered(questions, {header: "memory"})


def _design(mind: Planner, page: Page) -> None:
    overview = ("--problem", "Callers flood the API", "--approach", "Count and refuse")
    mind.plan(page, "set-overview", "--version", "1", *overview)
    mind.plan(page, "set-decision", "--decision", "Count in memory", "--reasoning", "one process -> no store needed")
    milestone = ("--name", "Limiter", "--file", "src/api.py", "--acceptance-criterion", "the 11th request gets 429")
    mind.plan(page, "set-milestone", *milestone)
    intent = ("--milestone", "M-001", "--file", "src/api.py", "--behavior", "handle() refuses over ten a second")
    mind.plan(page, "set-intent", *intent, "--decision-ref", "DL-001")
    mind.plan(page, "set-wave", "--milestone", "M-001")
    mind.plan(page, "set-diagram", "--type", "dataflow", "--scope", "overview", "--title", "A request")
    for node in ("caller", "limiter"):
        mind.plan(page, "add-diagram-node", "--diagram", "DIAG-001", "--label", node, "--node", node)
    edge = ("--source", "caller", "--target", "limiter", "--label", "asks")
    mind.plan(page, "add-diagram-edge", "--diagram", "DIAG-001", *edge)


def _code(mind: Planner, page: Page) -> None:
    change = ("--intent-ref", "CI-M-001-001", "--diff-file", "-")
    mind.plan(page, "set-change", *change, given=DIFF)


def _docs(mind: Planner, page: Page) -> None:
    mind.plan(page, "set-diagram-render", "--id", "DIAG-001", "--version", "4")


FILLING: Final[dict[Phase, Callable[[Planner, Page], None]]] = {
    Phase.PLAN_DESIGN: _design,
    Phase.PLAN_CODE: _code,
    Phase.PLAN_DOCS: _docs,
}
CONTEXT: Final = {
    "task_spec": ("Limit each caller's requests", "out-of-scope: billing"),
    "constraints": ("MUST: no new service (user-specified)",),
    "entry_points": ("src/api.py:handle - every request passes it",),
}


def text_of(page: Page) -> str:
    """All that a page says."""
    return "\n".join(node.value for node in walk(page.document) if isinstance(node, Text))


def commands(page: Page, word: str) -> list[Command]:
    """The commands that stand in the texts of a page and hold a word, in their order."""
    found: list[Command] = []
    for text in re.findall(r"^\s*(/\S+ -P -m .+)$|`(/\S+ -P -m [^`]+)`", text_of(page), re.MULTILINE):
        command = Command.read(text[0] or text[1])
        if word in (command.module, *command.words):
            found.append(command)
    return found


def option(page: Page, flag: str) -> str:
    """What the command of a page says behind a flag."""
    return page.command.words[page.command.words.index(flag) + 1]


def _role(page: Page) -> str:
    return str(page.role)
