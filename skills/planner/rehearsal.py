"""What an agent thinks in a rehearsal of the planner: it fills plan and reviews by the commands in prints."""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Final, NamedTuple

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.relay import NeedsUserInput, Option, Question, UserResponse
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from lib.workflow.core import Workflow
from lib.workflow.discovery import discover_workflows
from lib.workflow.render.xml import render
from lib.workflow.testing.reader import Page, ReaderError, Run, Simple
from lib.workflow.types import AgentRole

from .phases import Part, row_of
from .schema.phase import Phase
from .schema.plan import Plan
from .schema.review import ItemStatus
from .state.run_state import RunState
from .texts import categories

QUESTIONS: Final = NeedsUserInput(
    (Question(header="Store", text="Where are counters kept?", options=(Option(label="memory"), Option(label="disk"))),)
)
FINDING: Final = 0.3
"""How many items fail by chance, in a round."""
DIFF: Final = "--- a/src/api.py\n+++ b/src/api.py\n@@ -1 +1,2 @@\n def handle(request):\n+    limit(request)\n"
ITEMS: Final = [
    {"id": f"qa-{number:03d}", "scope": "*", "check": f"Condition {number} holds"} for number in range(1, 6)
]


class Planner(Simple):
    """Writes a small plan; each phase fails its first review by one item; the architect asks once."""

    checks: tuple[str, ...] = ("validate", "submit")
    """What an agent runs at the end."""
    asking: Phase = Phase.PLAN_DESIGN
    """In which an agent asks, where the id of the step does not begin with a phase."""

    def __init__(self, run: Run, seed: int = 0, fails: bool = False) -> None:
        super().__init__(seed=seed, fails=fails)
        self.run = run
        self.seed = seed
        self.state_dir = ""

    def work(self, page: Page) -> None:
        """The work of a step, by its script and its id."""
        workflow = _workflows()[page.command.module]
        step = workflow.step(page.header.step).id
        last = page.header.step == page.header.total
        if step == "context-verify":
            self.state_dir = option(page, "--state-dir")
            if RunState(self.state_dir).run.context_digest is None:  # an earlier attempt may have come so far
                self.capture(page)
        phase = next((each for each in Phase if workflow.name.startswith(each)), None)
        if phase is None or page.role is AgentRole.ORCHESTRATOR:
            return
        self.state_dir = option(page, "--state-dir")
        part = next(each for each in Part if row_of(phase).module(each) == page.command.module)
        done = RunState(self.state_dir).run.submitted(phase, 1)  # an earlier attempt may have come so far
        if part is Part.EXECUTE and last and not (self.wants_to_ask(page) or done):
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

    def fill(self, page: Page, phase: Phase) -> None:
        """What the phase adds to the plan, as far as it is not there."""
        for piece in FILLING[phase]:
            if not piece.there(RunState(self.state_dir).plan):
                self.plan(page, *piece.words, given=piece.given)

    def mend(self, page: Page, phase: Phase) -> None:
        """The plan says what was found."""
        found = f"Found in review of {phase}"
        if not any(risk.risk == found for risk in RunState(self.state_dir).plan.planning_context.risks):
            self.plan(page, "set-risk", "--risk", found, "--mitigation", "Mended", role="architect")

    def judge(self, page: Page, phase: Phase) -> None:
        """Records the verdict on the item of the page."""
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
        elif next(each for each in review.items if each.id == item).status is not ItemStatus.PASS:
            self.do(passing)

    def fault(self, phase: Phase, item: str, iteration: int) -> str:
        """What is wrong with an item: item 2 in the first round of a phase, or any by chance, told by the seed."""
        chance = Random(f"{self.seed}/{phase}/{item}/{iteration}").random()  # noqa: S311 - no secret
        wrong = chance < FINDING if self.fails else (item, iteration) == ("qa-002", 1)
        return "M-001 names no test, so nobody sees it break." if wrong else ""

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

    def relay(self, page: Page, response: UserResponse) -> None:
        """Records the answer, as the page says."""
        step = _workflows()[page.command.module].step(page.header.step).id
        phase = next((each for each in Phase if step.startswith(each)), self.asking)
        words = ("--state-dir", option(page, "--state-dir"), "--role", "orchestrator", "set-answer", phase)
        for answer in response.answers:
            self.do(Command("skills.planner.cli.plan", (*words, "--header", answer.header, "--text", answer.text)))


def mind(run: Run, seed: int, fails: bool) -> Planner:
    """Who plays the agents of the planner."""
    return Planner(run, seed, fails)


@cache
def _workflows() -> dict[str, Workflow]:
    return {workflow.module: workflow for workflow in discover_workflows("skills.planner").values()}


class Piece(NamedTuple):
    """One part of the plan."""

    there: Callable[[Plan], bool]
    """Whether it is in the plan: an earlier attempt may have come so far."""
    words: tuple[str, ...]
    given: str = ""


def _node(number: int, label: str) -> Piece:
    words = ("add-diagram-node", "--diagram", "DIAG-001", "--label", label, "--node", label)
    return Piece(lambda plan: len(plan.diagram_graphs[0].nodes) >= number, words)


DESIGN: Final = (
    Piece(
        lambda plan: bool(plan.overview.problem),
        ("set-overview", "--version", "1", "--problem", "Callers flood the API", "--approach", "Count and refuse"),
    ),
    Piece(
        lambda plan: bool(plan.planning_context.decisions),
        ("set-decision", "--decision", "Count in memory", "--reasoning", "one process -> no store needed"),
    ),
    Piece(
        lambda plan: bool(plan.milestones),
        (
            *("set-milestone", "--name", "Limiter", "--file", "src/api.py"),
            *("--acceptance-criterion", "the 11th request gets 429"),
        ),
    ),
    Piece(
        lambda plan: bool(plan.milestones[0].code_intents),
        (
            *("set-intent", "--milestone", "M-001", "--file", "src/api.py", "--decision-ref", "DL-001"),
            *("--behavior", "handle() refuses over ten a second"),
        ),
    ),
    Piece(lambda plan: bool(plan.waves), ("set-wave", "--milestone", "M-001")),
    Piece(
        lambda plan: bool(plan.diagram_graphs),
        ("set-diagram", "--type", "dataflow", "--scope", "overview", "--title", "A request"),
    ),
    _node(1, "caller"),
    _node(2, "limiter"),
    Piece(
        lambda plan: bool(plan.diagram_graphs[0].edges),
        (
            *("add-diagram-edge", "--diagram", "DIAG-001"),
            *("--source", "caller", "--target", "limiter", "--label", "asks"),
        ),
    ),
)
CODE: Final = (
    Piece(
        lambda plan: bool(plan.milestones[0].code_changes),
        ("set-change", "--intent-ref", "CI-M-001-001", "--diff-file", "-"),
        DIFF,
    ),
)
DOCS: Final = (
    Piece(
        lambda plan: bool(plan.diagram_graphs[0].ascii_render),
        ("set-diagram-render", "--id", "DIAG-001", "--version", "4"),
    ),
)
FILLING: Final[Mapping[Phase, tuple[Piece, ...]]] = {
    Phase.PLAN_DESIGN: DESIGN,
    Phase.PLAN_CODE: CODE,
    Phase.PLAN_DOCS: DOCS,
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
