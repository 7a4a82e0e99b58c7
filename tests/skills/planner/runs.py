"""Runs in given states, for tests of the next step and of gates."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from attrs import evolve

from lib.workflow.arguments.parameter import Value
from lib.workflow.command import Command, flags
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.process import Ran
from skills.planner.modules import PLANNER
from skills.planner.next_step import STEPS
from skills.planner.phases import IMPL_CODE, PhaseSpec
from skills.planner.review.hand_in import keep_content
from skills.planner.review.rounds import let_pass
from skills.planner.schema.phase import Phase
from skills.planner.schema.run import Run, Submission
from skills.planner.staging import begin
from skills.planner.state.files import run_store
from skills.planner.state.run_state import RunState
from tests.subjects import PROOF

WORKFLOW: Final = PROOF.targets.workflows[PLANNER]


def staged(folder: Path, step: str) -> str:
    """Make a state directory in which a step of the planner is next."""
    state_dir = str(folder / "a b'c$HOME é")
    Path(state_dir).mkdir(exist_ok=True)
    begin(WORKFLOW, step, state_dir)
    return state_dir


def planner(step: str, state_dir: str, **values: Value) -> Ran:
    """Run a step of the planner."""
    words = flags({"step": STEPS.index(step) + 1, "state_dir": state_dir, **values})
    return run_here(Command(PLANNER, words))


def handed_in(state_dir: str, row: PhaseSpec, iteration: int = 1) -> str:
    """Hand in the current work without a command, and return its digest."""
    digest = keep_content(RunState(state_dir), row)

    def record(run: Run) -> Run:
        phase, wave, lap = run.at(row.phase)
        names = run.awaited(phase, iteration) or (None,)
        one = Submission(phase=phase, wave=wave, lap=lap, iteration=iteration, digest=digest)
        return evolve(run, submissions=(*run.submissions, *(evolve(one, milestone=name) for name in names)))

    change(state_dir, record)
    return digest


def pass_code(state_dir: str) -> None:
    """Pass the code of the wave without a review."""
    handed_in(state_dir, IMPL_CODE)
    let_pass(RunState(state_dir), IMPL_CODE)


def run_with(folder: Path | str, *phases: Phase, iteration: int = 1) -> None:
    """Make a run in a folder, in which the work of these phases is handed in for a round."""
    made = tuple(Submission(phase=phase, iteration=iteration) for phase in phases)
    run_store(str(folder)).create(Run(id="run", task="x", project_root=os.path.abspath(folder), submissions=made))


def change(state_dir: str, by: Callable[[Run], Run]) -> None:
    """Change the ledger without a command."""
    run_store(state_dir).change(lambda run: (by(run), None))


def aborted(run: Run) -> Run:
    """Return the run as ended."""
    return evolve(run, aborted=True)
