"""What an agent thinks in a rehearsal of the planner: it fills plan and reviews by the commands in prints."""

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
from lib.workflow.questions import answered
from lib.workflow.render.xml import render
from lib.workflow.testing.reader import Page, ReaderError, Run, Simple, option
from lib.workflow.types import AgentRole

from ..modules import EXECUTOR, QR
from ..modules import PLAN as PLAN_COMMANDS
from ..phases import Part, row_of
from ..schema.phase import Phase
from ..schema.plan import Plan
from ..schema.review import ItemStatus
from ..state.run_state import RunState
from ..texts import categories
from .pages import commands, text_of
from .pieces import pieces_of
from .plan import CONTEXT, PLAN

At: TypeAlias = tuple[Phase, str | None, int]
"""Phase, wave and lap."""
GATE: Final = "Gate"
"""The header of what a gate asks."""
FINDING: Final = 0.3
"""How many items fail by chance, in a round."""
ITEMS: Final = 5
"""How many items a phase is reviewed by."""


class Planner(Simple):
    """Writes a small plan; each phase fails its first review by one item; the architect asks once."""

    target: Plan = PLAN
    """The plan that it writes."""
    group_size: int = 3
    """How many items it puts into a group."""

    def __init__(self, run: Run, seed: int = 0, fails: bool = False) -> None:
        super().__init__(seed=seed, fails=fails)
        self.run = run
        self.seed = seed
        self.asked: Counter[str] = Counter()
        self.state_dir = ""

    def work(self, page: Page) -> None:
        """The work of a step, by its script and its id."""
        self.state_dir = option(page.command, "--state-dir")
        workflow = _workflows()[page.command.module]
        step = workflow.step(page.header.step).id
        last = page.header.step == page.header.total
        if step == "context-verify" and RunState(self.state_dir).run.context_digest is None:
            self.capture(page)  # an earlier attempt may have come so far
        phase = next((each for each in Phase if workflow.name.startswith(each)), None)
        if phase is None or page.role is AgentRole.ORCHESTRATOR:
            return
        part = next(each for each in Part if row_of(phase).module(each) == page.command.module)
        done = RunState(self.state_dir).run.submitted(phase, 1)  # an earlier attempt may have come so far
        if part is Part.EXECUTE and last and not (self.wants_to_ask(page) or done):
            self.fill(page, phase)
            self.submit(page)
        if part is Part.FIX and last:
            self.mend(page, phase)
            self.submit(page)
        if part is Part.DECOMPOSE and step == "coverage":
            self.take_apart(page, phase)
        if part is Part.VERIFY and step == "verify":
            self.judge(page, phase)

    def capture(self, page: Page) -> None:
        """The context, field by field."""
        for field, entries in CONTEXT.items():
            self.plan(page, "set-context", field, *(word for entry in entries for word in ("--entry", entry)))
        self.plan(page, "freeze-context")

    def fill(self, page: Page, phase: Phase) -> None:
        """What the phase adds to the plan, as far as it is not there."""
        for piece in pieces_of(self.target)[phase]:
            if not piece.is_in(RunState(self.state_dir).plan):
                self.plan(page, *piece.words, given=piece.given)

    def mend(self, page: Page, phase: Phase) -> None:
        """The plan says what was found, a risk for each round: a fix that changes nothing is refused."""
        found = f"Found in round {RunState(self.state_dir).round(phase) - 1} of {phase}"
        if not any(risk.risk == found for risk in RunState(self.state_dir).plan.planning_context.risks):
            self.plan(page, "set-risk", "--risk", found, "--mitigation", "Fixed", role="architect")

    def take_apart(self, page: Page, phase: Phase) -> None:
        """Makes items, and groups of them."""
        category = next(iter(categories(phase)))
        items = ids_of(self.items(phase))
        made = [{"id": item, "scope": "*", "check": f"Condition {item} holds", "category": category} for item in items]
        self.qr(page, phase, "create", "--items-file", "-", given=json.dumps(made))
        for start in range(0, len(items), self.group_size):
            group = items[start : start + self.group_size]
            words = (word for item in group for word in ("--item", item))
            self.qr(page, phase, "assign-group", f"group-{start // self.group_size + 1}", *words)

    def items(self, phase: Phase) -> int:
        """How many items a phase is reviewed by."""
        return ITEMS

    def judge(self, page: Page, phase: Phase) -> None:
        """Records the verdict on the item of the page."""
        state = RunState(self.state_dir)
        review = state.review(phase)
        assert review is not None
        passing, failing = commands(page, "update-item")
        item = passing.words[passing.words.index("update-item") + 1]
        found = self.fault(state.run.at(phase), item, review.iteration)
        if found:
            with open(option(failing, "--finding-file"), "w", encoding="utf-8") as file:
                file.write(found)
            self.do(failing)
        elif next(each for each in review.items if each.id == item).status is not ItemStatus.PASS:
            self.do(passing)

    def fault(self, at: At, item: str, iteration: int) -> str:
        """What is wrong with an item: item 2 in the first round of a phase, or any by chance, told by the seed."""
        wrong = self.chance(*at, item, iteration) if self.fails else (item, iteration) == ("qa-002", 1)
        return "M-001 names no test, so nobody sees it break." if wrong else ""

    def chance(self, *words: object) -> bool:
        """Whether something goes wrong that goes wrong by chance: the same whenever it is asked."""
        return Random(f"{self.seed}/{'/'.join(map(str, words))}").random() < FINDING  # noqa: S311 - no secret

    def answer(self, questions: NeedsUserInput) -> UserResponse:
        """The first option; at a gate, where reviews fail by chance, any."""
        first = questions.questions[0]
        if not self.fails or first.header != GATE:
            return super().answer(questions)
        self.asked[first.text] += 1
        label = self.choice(first.text, self.asked[first.text], [option.label for option in first.options])
        return answered(questions, {first.header: label})

    def choice(self, text: str, number: int, labels: Sequence[str]) -> str:
        """What the user answers to a question of a gate that is asked for the so manieth time."""
        return Random(f"{self.seed}/{text}/{number}").choice(labels)  # noqa: S311 - no secret

    def submit(self, page: Page) -> None:
        """Says that the work is finished, validated where the page says so."""
        for name in ("validate", "submit"):
            for command in commands(page, name)[:1]:
                self.do(command)

    def plan(self, page: Page, *words: str, role: str | None = None, given: str = "") -> None:
        """A command of cli.plan that the page names."""
        if not commands(page, PLAN_COMMANDS):
            raise ReaderError(f"{page.command} names no command of cli.plan")
        who = ("--role", role or str(page.role))
        self.do(Command(PLAN_COMMANDS, ("--state-dir", self.state_dir, *who, *words)), given)

    def qr(self, page: Page, phase: Phase, *words: str, given: str = "") -> None:
        """A command of cli.qr that the page names."""
        if not any(words[0] in command.words for command in commands(page, QR)):
            raise ReaderError(f"{page.command} does not name {words[0]}")
        options = ("--state-dir", self.state_dir, "--role", str(page.role), "--qr-phase", phase)
        self.do(Command(QR, (*options, *words)), given)

    def do(self, command: Command, given: str = "") -> None:
        """Runs a command. Raises ReaderError where it is refused."""
        ran = self.run(command, given)
        if ran.status:
            raise ReaderError(f"{command}\n{ran.out}{ran.errors}")

    def wants_to_ask(self, page: Page) -> bool:
        """The architect, before it has an answer."""
        return page.role is AgentRole.ARCHITECT and not self.answered(Phase.PLAN_DESIGN)

    def question(self, page: Page) -> Question:
        """What it asks."""
        options = (Option(label="memory"), Option(label="disk"))
        return Question(header="Store", text="Where are counters kept?", options=options)

    def answered(self, phase: Phase) -> bool:
        """Whether the user has answered an agent of the phase."""
        return any(answer.phase is phase for answer in RunState(self.state_dir).run.answers)

    def reply(self, page: Page) -> str:
        """The question, the verdict that the page gives, or a word."""
        if self.wants_to_ask(page):
            return render(NeedsUserInput((self.question(page),)))
        said = text_of(page) if page.role is AgentRole.QUALITY_REVIEWER else ""
        verdict = re.search(r"\b(PASS|FAIL: [\w, -]+)", said)
        return verdict[1] if verdict else "done"

    def relay(self, page: Page, response: UserResponse) -> None:
        """Records the answer, as the page says."""
        step = _workflows()[page.command.module].step(page.header.step).id
        first = Phase.IMPL_CODE if page.command.module == EXECUTOR else Phase.PLAN_DESIGN
        phase = next((each for each in Phase if step.startswith(each)), first)
        words = ("--state-dir", option(page.command, "--state-dir"), "--role", "orchestrator", "set-answer", phase)
        for answer in response.answers:
            self.do(Command(PLAN_COMMANDS, (*words, "--header", answer.header, "--text", answer.text)))


def ids_of(items: int) -> tuple[str, ...]:
    """The ids of the items of a review."""
    return tuple(f"qa-{number:03d}" for number in range(1, items + 1))


@cache
def _workflows() -> dict[str, Workflow]:
    return {workflow.module: workflow for workflow in discover_workflows("skills.planner").values()}
