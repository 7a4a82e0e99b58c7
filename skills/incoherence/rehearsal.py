"""A simulated agent of incoherence: it gives the commands on pages the input that steps ask for."""

import json
from collections.abc import Iterator
from typing import Final

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.relay import NeedsUserInput, UserResponse
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from lib.workflow.handlers.ask_user import answered
from lib.workflow.testing.reader import Page, ReaderError, Run, Simple, option
from lib.workflow.testing.shown import commands_in
from lib.workflow.types import AgentRole, Outcome

from .commands import examples
from .commands.slips import HEADER
from .due import STEPS, due
from .files import run_store
from .record import Run as Record
from .standing import Progress, Standing

STATE: Final = "skills.incoherence.state"
ALONE: Final = ("format", "report", "apply")
"""Steps of agents, which an orchestrating agent that launches none does itself."""


class Finder(Simple):
    """A simulated agent that finds three contradictions, one of them a slip, and fixes all in two waves."""

    def __init__(self) -> None:
        super().__init__()
        self.checked = 0

    def work(self, page: Page) -> None:
        step = step_of(page)
        product = getattr(self, step, None)
        if callable(product) and not self.is_on_record(page, step):
            command = next(each for each in commands_on_state(page) if each.words[-1] == "-")  # it reads the product
            ran = page.run(command, json.dumps(product(run_of(page), command)))
            if ran.status != 0:
                raise ReaderError(f"{step}: {ran.out}{ran.errors}")

    def is_on_record(self, page: Page, step: str) -> bool:
        """Return True if a lost orchestrating agent has already recorded the product of the page."""
        return page.role is AgentRole.ORCHESTRATOR and step not in (*due(run_of(page)), *ALONE)

    def decide(self, page: Page, ways: tuple[Outcome, ...], replies: tuple[str, ...]) -> Outcome:
        return Outcome.OK if Outcome.OK in ways else ways[0]

    def answer(self, questions: NeedsUserInput) -> UserResponse:
        """Return the last option, and the first one for slips."""
        chosen = {each.header: each.options[0 if each.header == HEADER else -1].label for each in questions.questions}
        return answered(questions, chosen)

    def survey(self, run: Record | None, command: Command) -> object:
        return json.loads(examples.SURVEY)

    def dimensions(self, run: Record, command: Command) -> object:
        return json.loads(examples.SWEEPS)

    def format(self, run: Record, command: Command) -> object:
        """Return the example's sweep for the first dimension, and nothing for others."""
        swept = {each["dimension"]: each for each in json.loads(examples.SWEPT)}
        return [swept[each.dimension] for each in run.open_sweeps()]

    def select(self, run: Record, command: Command) -> object:
        waiting = run.of(Standing.FOUND)
        return [{"candidate": each.id, "dive": True, "why": "users meet it"} for each in waiting]

    def report(self, run: Record, command: Command) -> object:
        return [{"candidate": each.id, "evidence": "4.5 MB gives 413 (run), upload.py:20"} for each in run.to_dive()]

    def verdicts(self, run: Record, command: Command) -> object:
        return [{"candidate": each.id, "verdict": "incoherent", "reason": "413"} for each in run.to_judge()]

    def pose(self, run: Record, command: Command) -> object:
        """Return a question about each candidate; the command adds the one about slips."""
        (asked,) = json.loads(examples.QUESTIONS)
        waiting = (each for each in run.to_pose() if each.standing is not Standing.SLIP)
        return [{**asked, "candidates": [each.id], "header": f"Upload {each.id}"} for each in waiting]

    def settle(self, run: Record, command: Command) -> object:
        return [{"question": each.id, "rule": "4 MiB", "files": [f"{each.id}.md"]} for each in run.to_settle()]

    def plan(self, run: Record, command: Command) -> object:
        changing = enumerate(run.to_change(), 1)
        return [{"wave": min(n, 2), "questions": [each.id], "files": list(each.files)} for n, each in changing]

    def apply(self, run: Record, command: Command) -> object:
        return "README.md:12 says 4 MiB"

    def collect(self, run: Record, command: Command) -> object:
        """Return checks, of which the first fails."""
        self.checked += 1
        good = self.checked > 1
        delivered = run.tasks_of(Progress.DELIVERED, run.wave())
        return [{"task": each.id, "good": good, "why": "README.md:60"} for each in delivered]


def mind(run: Run, seed: int, fails: bool) -> Finder:
    """Return the simulated agents of incoherence; a check fails once for any seed."""
    return Finder()


def step_of(page: Page) -> str:
    """Return the id of the page's step."""
    return STEPS[page.header.step - 1]


def run_of(page: Page) -> Record | None:
    """Return the record of the page's run; None before it begins."""
    return run_store(option(page.command, "--state-dir")).find()


def commands_on_state(page: Page) -> Iterator[Command]:
    """Yield the commands on the state that the page names."""
    for node in walk(page.document):
        if isinstance(node, Text):
            yield from (command for command, _ in commands_in(node.value) if command.module == STATE)
