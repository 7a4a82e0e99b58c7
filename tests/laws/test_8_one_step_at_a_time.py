"""Law 8, for steps: of those that change a state, only one runs there at a time, in any workflow."""

import os

import pytest

from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import Refusal
from lib.workflow.command import Command
from lib.workflow.state import step_lock
from lib.workflow.state.locks import locked
from lib.workflow.testing.inprocess import run_here
from tests.subjects import PROOF, of_each_step, shown

CHANGING = [
    command
    for command in of_each_step()
    if PROOF.targets.workflows[command.module].steps[PROOF.targets.step(command)].changes_state
    and "--state-dir" in command.words
]


def test_every_skill_with_a_state_has_steps_that_change_it() -> None:
    packages = {command.module.rpartition(".")[0] for command in CHANGING}
    assert {"skills.planner.orchestrator", "skills.incoherence", "tests.workflows.desk"} <= packages


@pytest.mark.parametrize("command", CHANGING, ids=shown)
def test_a_step_waits_for_the_one_that_runs_then_says_so_and_changes_nothing(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_lock, "SHORT", 0.02)
    monkeypatch.setattr(step_lock, "WAIT", 0.05)
    stage = PROOF.targets.stage
    stage.ready(PROOF.targets.workflows[command.module], PROOF.targets.step(command))
    state_dir = command.words[command.words.index("--state-dir") + 1]
    with locked(os.path.join(state_dir, step_lock.FILE), 0):
        before = stage.contents()
        ran = run_here(command)
        assert stage.contents() == before
    assert ran.status == 1
    (refusal,) = (block for block in parse(ran.out).blocks if isinstance(block, Refusal))
    assert (refusal.code, refusal.target) == ("step-running", state_dir)
    assert refusal.invoke is not None
    again = refusal.invoke.command
    assert (again.module, PROOF.targets.step(again)) == (command.module, PROOF.targets.step(command))
    assert state_dir in again.words
    assert run_here(command).status in (0, 3)
