"""The run that measures the process has the shape of the trials: two waves, a failed review in each phase."""

import os
from pathlib import Path

import pytest

from lib.workflow.command import Command, flags
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Reader
from skills.planner.modules import PLANNER
from skills.planner.rehearsal import prepare, sequel, trial
from skills.planner.schema.phase import Phase
from skills.planner.schema.run import Run
from skills.planner.simulation.plan import TRIAL
from skills.planner.state.run_state import RunState


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunState, Reader]:
    """Return the executed run, and its reader."""
    state_dir = os.fspath(tmp_path_factory.mktemp("trial") / "it's a $run é")
    start = Command(PLANNER, flags({"step": 1, "task": "Limit each caller's requests", "state_dir": state_dir}))
    prepare(start)
    reader = Reader(trial(run_here), run_here)
    reader.read(start)
    following = sequel(run_here, start)
    assert following is not None
    reader.read(following)
    return RunState(state_dir), reader


def test_two_milestones_are_planned_and_built_in_two_waves(done: tuple[RunState, Reader]) -> None:
    state, _ = done
    assert [each.name for each in state.plan.milestones] == [each.name for each in TRIAL.milestones]
    assert [wave.milestones for wave in state.plan.waves] == [("M-001",), ("M-002",)]
    run: Run = state.run
    assert run.finished
    assert not run.failing
    assert Path(run.project_root, "README.md").read_text(encoding="utf-8").endswith("over the limit.\n")


def test_each_reviewed_phase_fails_one_review_and_the_checks_pass_at_once(done: tuple[RunState, Reader]) -> None:
    run = done[0].run
    reviewed = [phase for phase in Phase if phase is not Phase.IMPL_DOCS]  # applied with the code
    assert [(each.phase, each.iteration, len(each.failed)) for each in run.rounds] == [
        (each, 1, 1) for each in reviewed
    ]
    assert [each.failed for each in run.checks] == [frozenset()]


def test_the_user_is_asked_one_question(done: tuple[RunState, Reader]) -> None:
    assert [(answer.phase, answer.header) for answer in done[0].run.answers] == [(Phase.PLAN_DESIGN, "Store")]
