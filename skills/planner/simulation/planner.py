"""A simulated agent for the planner: it follows pages with the commands that they show."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Final, TypeAlias

from lib.workflow.ast.relay import NeedsUserInput, Option, Question, UserResponse
from lib.workflow.command import Command
from lib.workflow.core import Workflow
from lib.workflow.discovery import discover_workflows
from lib.workflow.handlers.ask_user import answered
from lib.workflow.render.xml import render
from lib.workflow.state.run_documents import folder_at
from lib.workflow.testing.process import Ran
from lib.workflow.testing.reader import Page, ReaderError, Run, Simple, option
from lib.workflow.types import AgentRole

from ..modules import EXECUTOR
from ..modules import PLAN as PLAN_COMMANDS
from ..schema.depth import Depth
from ..schema.phase import Phase
from ..schema.plan.document import Plan
from ..schema.review.document import ItemStatus
from ..state.files import SCRATCH
from ..state.run_state import RunState
from ..texts import categories
from .pages import commands
from .pieces import Batch, batches_of, whole
from .plan import CONTEXT, PLAN, files_of
from .project import read, write

At: TypeAlias = tuple[Phase, str | None, int]
"""Phase, wave and lap."""
GATE: Final = "Gate"
"""The header of a gate's question."""
DEPTH: Final = "Depth"
"""The header of the question for the depth."""
FINDING: Final = 0.3
"""The share of items that fail by chance, in a round."""
ITEMS: Final = 5
"""The number of items in a phase's review."""


class Planner(Simple):
    """A simulated agent that writes a small plan. Each phase's first review fails one item; the architect asks once."""

    target: Plan = PLAN
    """The plan that it writes."""
    group_size: int = 3
    """The number of items in a group."""
    depth: Depth = Depth.FULL
    """The user's answer to the question for the depth."""

    def __init__(self, run: Run, seed: int = 0, fails: bool = False) -> None:
        super().__init__(seed=seed, fails=fails)
        self.run = run
        self.seed = seed
        self.asked: Counter[str] = Counter()
        self.state_dir = ""
        self.verdict = "PASS"

    @property
    def state(self) -> RunState:
        """Return the current state of the run."""
        return RunState(self.state_dir)

    def work(self, page: Page) -> None:
        """Do the work of a page, by the script and the step that its header names."""
        self.state_dir = folder_at(option(page.command, "--state-dir"))
        workflow = _workflows()[page.header.script]
        step = workflow.step(page.header.step).id
        if page.role is AgentRole.ORCHESTRATOR:
            self.lead(page, step)
            return
        phase = next((each for each in Phase if workflow.name.startswith(each)), Phase.IMPL_CODE)
        if not self.stops(page):
            self.act(page, phase, workflow.name.removeprefix(phase).lstrip("-"), step)

    def lead(self, page: Page, step: str) -> None:
        """Do the orchestrator's own work: the context, and everything in a light run."""
        if step == "context-verify" and self.state.run.context_digest is None:
            lines = [line for name, entries in CONTEXT.items() for line in (f"## {name}", *(f"- {e}" for e in entries))]
            self.do(self.shown(page, "freeze-context"), "\n".join(lines))
        if step.endswith("-work") and self.state.run.is_light:
            phase = next(each for each in Phase if step.startswith(each))
            if self.state.review(phase):
                self.fix(page, phase)
            else:
                self.design(page) if phase is Phase.PLAN_DESIGN else self.build(page)

    def design(self, page: Page) -> None:
        """Write the whole design of a light run."""
        self.send(page, whole(self.target))

    def build(self, page: Page) -> None:
        """Build the wave of a light run in the project."""
        building = self.state.run.building
        assert building is not None
        for name in building.milestones:
            self.write_files(self.state.project, name)

    def act(self, page: Page, phase: Phase, part: str, step: str) -> None:
        """Do the work of a sub-agent."""
        match part, step:
            case "qr-decompose", "items":
                self.split(page, phase)
            case "qr-verify", _:
                self.judge(page, phase)
            case "qr-fix", _:
                self.fix(page, phase)
                self.do(commands(page, "submit")[-1])
            case "execute", "validate" | "finish":
                self.do(commands(page, "submit")[-1])
            case "execute", _:
                self.execute(page, phase, step)
            case _:
                pass

    def execute(self, page: Page, phase: Phase, step: str) -> None:
        """Do a phase's work, except for what an earlier attempt has done."""
        if phase is Phase.PLAN_DESIGN and step in batches_of(self.target):
            self.send(page, batches_of(self.target)[step])
        if phase is Phase.PLAN_CODE and step == "ground":
            self.do(self.shown(page, "scratch"))
        for command in commands(page, "set-diagram-render"):
            self.do(command)
        if commands(page, "record-changes"):
            self.record(page, documents=phase is not Phase.PLAN_CODE)

    def record(self, page: Page, documents: bool) -> None:
        """Write each milestone's files into the scratch copy, and record the difference.

        What an earlier attempt has recorded is not recorded again: the files that it has written since then belong to
        the next milestone.
        """
        (first, *_) = commands(page, "record-changes")
        done = {each.id: {change.file for change in each.code_changes} for each in self.state.plan.milestones}
        for milestone in self.target.milestones:
            is_done = files_of(self.target, milestone.id).keys() <= done.get(milestone.id, set())
            if milestone.is_documentation_only is documents and not is_done:
                self.write_files(self.state.path(SCRATCH), milestone.id)
                self.do(Command(first.module, (*first.words[:-1], milestone.id)))

    def write_files(self, folder: str, milestone: str) -> None:
        """Write the files of a milestone of the target."""
        for file, text in files_of(self.target, milestone).items():
            if read(folder, file) != text:
                write(folder, file, text)

    def send(self, page: Page, batch: Batch) -> None:
        """Send a batch that the page asks for, unless an earlier attempt has."""
        if not batch.is_in(self.state.plan):
            self.do(self.shown(page, "batch"), json.dumps(batch.requests))

    def fix(self, page: Page, phase: Phase) -> None:
        """Make a fix that changes something: a risk of the plan, or a line of documentation."""
        found = f"Found in round {self.state.round(phase) - 1} of {phase}"
        if recording := commands(page, "record-changes"):
            command = recording[0]
            self.note(self.state.path(SCRATCH), found)
            self.do(Command(command.module, (*command.words[:-1], self.target.milestones[-1].id)))
            return
        if not any(risk.risk == found for risk in self.state.plan.planning_context.risks):
            self.do(
                self.shown(page, "batch"), json.dumps([{"command": "set-risk", "risk": found, "mitigation": "Fixed"}])
            )

    def note(self, folder: str, text: str) -> None:
        """Add a line to the document of the project."""
        document = next(iter(files_of(self.target, self.target.milestones[-1].id)))
        before = read(folder, document)
        line = f"# {text}" if document.endswith(".py") else text
        if line not in before.split("\n"):
            write(folder, document, f"{before}{line}\n")

    def split(self, page: Page, phase: Phase) -> None:
        """Write the items of a review, in groups."""
        category = next(iter(categories(phase)))
        made = [
            {
                "id": item,
                "scope": "*",
                "check": f"Condition {item} is true of every constraint, decision, criterion, intent and change",
                "category": category,
                "group": f"group-{number // self.group_size + 1}",
            }
            for number, item in enumerate(ids_of(self.items(phase)))
        ]
        self.do(self.shown(page, "create"), json.dumps(made))

    def items(self, phase: Phase) -> int:
        """Return the number of items in a phase's review."""
        return ITEMS

    def judge(self, page: Page, phase: Phase) -> None:
        """Record the verdicts on all items of the page."""
        review = self.state.review(phase)
        assert review is not None
        ids = re.findall(r'<item id="([^"]+)"', render(page.document))
        verdicts = [self.verdict_on(phase, item, review.iteration) for item in ids]
        open_ = {item.id for item in review.items if item.status is not ItemStatus.PASS}
        open_ -= {item.id for item in review.items if item.judged == review.iteration}
        left = [each for each in verdicts if each["id"] in open_]
        if left:
            self.verdict = self.do(self.shown(page, "record"), json.dumps(left)).out
        else:
            failed = [item.id for item in review.of(ItemStatus.FAIL) if item.id in ids]
            self.verdict = f"FAIL: {', '.join(failed)}" if failed else "PASS"

    def verdict_on(self, phase: Phase, item: str, iteration: int) -> dict[str, str]:
        """Return the verdict on one item."""
        found = self.fault(self.state.run.at(phase), item, iteration)
        return {"id": item, "status": "FAIL", "finding": found} if found else {"id": item, "status": "PASS"}

    def fault(self, at: At, item: str, iteration: int) -> str:
        """Return the fault of an item: of item 2 in the first round of a phase, or of any by chance, by the seed."""
        wrong = self.chance(*at, item, iteration) if self.fails else (item, iteration) == ("qa-002", 1)
        return "M-001 names no test, so nobody would notice a failure." if wrong else ""

    def chance(self, *words: object) -> bool:
        """Return True if something goes wrong by chance; always the same for the same words."""
        return Random(f"{self.seed}/{'/'.join(map(str, words))}").random() < FINDING  # noqa: S311 - no secret

    def answer(self, questions: NeedsUserInput) -> UserResponse:
        """Choose the first option; for the depth, that of this agent; at a gate, if reviews fail by chance, any."""
        first = questions.questions[0]
        if first.header == DEPTH:
            return answered(questions, {DEPTH: self.depth})
        if not self.fails or first.header != GATE:
            return super().answer(questions)
        self.asked[first.text] += 1
        label = self.choice(first.text, self.asked[first.text], [option.label for option in first.options])
        return answered(questions, {first.header: label})

    def choice(self, text: str, number: int, labels: Sequence[str]) -> str:
        """Return the user's answer to a gate's question that is asked for the nth time."""
        return Random(f"{self.seed}/{text}/{number}").choice(labels)  # noqa: S311 - no secret

    def shown(self, page: Page, word: str) -> Command:
        """Return the first command of a page that contains a word. Raises ReaderError if the page shows none."""
        for command in commands(page, word):
            return command
        raise ReaderError(f"{page.command} shows no command with {word}")

    def do(self, command: Command, given: str = "") -> Ran:
        """Run a command. Raises ReaderError if it is refused."""
        ran = self.run(command, given)
        if ran.status:
            raise ReaderError(f"{command}\n{ran.out}{ran.errors}")
        return ran

    def stops(self, page: Page) -> bool:
        """Return True if the agent replies now because it has a question."""
        return self.wants_to_ask(page)

    def wants_to_ask(self, page: Page) -> bool:
        """Return True for the architect, before it has an answer."""
        return page.role is AgentRole.ARCHITECT and not self.answered(Phase.PLAN_DESIGN)

    def question(self, page: Page) -> Question:
        """Return the agent's question."""
        options = (Option(label="memory"), Option(label="disk"))
        return Question(header="Store", text="Where are counters kept?", options=options)

    def answered(self, phase: Phase) -> bool:
        """Return True if the user has answered an agent of the phase."""
        return any(answer.phase is phase for answer in self.state.run.answers)

    def reply(self, page: Page) -> str:
        """Return the question, the last recorded verdict, or "done"."""
        if self.wants_to_ask(page):
            return render(NeedsUserInput((self.question(page),)))
        if page.header.script.endswith("qr-verify"):
            verdict = re.findall(r"\bPASS\b|FAIL: [\w, -]+", self.verdict)
            return verdict[-1] if verdict else "done"
        return "done"

    def relay(self, page: Page, response: UserResponse) -> None:
        """Record the answer, by the command that the page shows."""
        first = Phase.IMPL_CODE if page.command.module == EXECUTOR else Phase.PLAN_DESIGN
        step = _workflows()[page.header.script].step(page.header.step).id
        phase = next((each for each in Phase if step.startswith(each)), first)
        words = ("--state-dir", option(page.command, "--state-dir"), "--role", "orchestrator", "set-answer", phase)
        for answer in response.answers:
            self.do(Command(PLAN_COMMANDS, (*words, "--header", answer.header, "--text", answer.text)))


def ids_of(items: int) -> tuple[str, ...]:
    """Return the ids of the items of a review."""
    return tuple(f"qa-{number:03d}" for number in range(1, items + 1))


@cache
def _workflows() -> dict[str, Workflow]:
    return dict(discover_workflows("skills.planner"))
