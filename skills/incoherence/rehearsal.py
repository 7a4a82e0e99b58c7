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
from .due import STEPS, due
from .files import run_store
from .record import Run as Record

STATE: Final = "skills.incoherence.state"
ALONE: Final = ("format", "report", "apply")
"""Steps of agents, which an orchestrating agent that launches none does itself."""


class Finder(Simple):
    """A simulated agent that finds three contradictions, asks about two, and fixes them in two waves."""

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
        return Outcome.OK

    def answer(self, questions: NeedsUserInput) -> UserResponse:
        return answered(questions, {each.header: each.options[-1].label for each in questions.questions})

    def survey(self, run: Record | None, command: Command) -> object:
        return json.loads(examples.SURVEY)

    def dimensions(self, run: Record, command: Command) -> object:
        return json.loads(examples.SWEEPS)

    def format(self, run: Record, command: Command) -> object:
        return json.loads(examples.SWEPT if "docs-code" in command.words else examples.NOTHING)

    def select(self, run: Record, command: Command) -> object:
        return [{"candidate": each.id, "dive": True, "why": "users meet it"} for each in run.candidates]

    def report(self, run: Record, command: Command) -> object:
        return "4.5 MB gives 413 (run), upload.py:20"

    def verdicts(self, run: Record, command: Command) -> object:
        return [{"candidate": each.id, "verdict": "incoherent", "reason": "413"} for each in run.to_judge()]

    def pose(self, run: Record, command: Command) -> object:
        """Return one question at a time, so that there are two batches."""
        asked = json.loads(examples.QUESTIONS)
        return [{**asked[0], "candidates": [run.to_pose()[0].id]}]

    def settle(self, run: Record, command: Command) -> object:
        return [{"question": each.id, "rule": "4 MiB", "files": [f"{each.id}.md"]} for each in run.to_settle()]

    def plan(self, run: Record, command: Command) -> object:
        changing = enumerate(run.to_change(), 1)
        return [{"wave": wave, "questions": [each.id], "files": list(each.files)} for wave, each in changing]

    def apply(self, run: Record, command: Command) -> object:
        return "README.md:12 says 4 MiB"

    def collect(self, run: Record, command: Command) -> object:
        """Return checks, of which the first fails."""
        self.checked += 1
        good = self.checked > 1
        return [{"task": each.id, "good": good, "why": "README.md:60"} for each in run.tasks if each.wave == run.wave()]


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
