"""Runs in given states, for tests of what is due and of gates."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from attrs import evolve

from lib.workflow.command import Command, flags
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.process import Ran
from lib.workflow.types import Value
from skills.planner.modules import PLANNER
from skills.planner.next_step import STEPS
from skills.planner.schema.run import Run
from skills.planner.staging import begin
from skills.planner.state.files import run_store
from tests.subjects import PROOF

WORKFLOW: Final = PROOF.targets.workflows[PLANNER]


def staged(folder: Path, step: str) -> str:
    """A state directory in which a step of the planner is due."""
    state_dir = str(folder / "a b'c$HOME é")
    Path(state_dir).mkdir(exist_ok=True)
    begin(WORKFLOW, step, state_dir)
    return state_dir


def planner(step: str, state_dir: str, **told: Value) -> Ran:
    """What a step of the planner prints."""
    words = flags({"step": STEPS.index(step) + 1, "state_dir": state_dir, **told})
    return run_here(Command(PLANNER, words))


def change(state_dir: str, by: Callable[[Run], Run]) -> None:
    """Changes the ledger behind everybody's back."""
    run_store(state_dir).change(lambda run: (by(run), None))


def aborted(run: Run) -> Run:
    """The run, ended."""
    return evolve(run, aborted=True)
