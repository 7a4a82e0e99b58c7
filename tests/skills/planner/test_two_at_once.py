"""A step that changes the state, run twice at once: one runs, the other waits, and both print the same."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from attrs import evolve

from lib.workflow.arguments.parameter import Value
from lib.workflow.command import Command, flags
from skills.planner.modules import EXECUTOR, PLANNER
from skills.planner.next_step import STEPS, WAVE_NEXT, WAVE_STEPS, Block, step_id
from skills.planner.phases import PLAN_DESIGN, ROWS
from skills.planner.schema.run import Building, PassedGate, Run
from skills.planner.simulation.plan import approve
from skills.planner.staging import PLAN, begin
from skills.planner.state.files import digest_of
from skills.planner.state.reviews import review_store
from skills.planner.state.run_state import RunState
from tests.skills.planner.runs import WORKFLOW, change
from tests.subjects import run

CHECK: Final = """
import os, sys, time
open("ran", "a").write("once ")
try:
    os.mkdir("at-work")
except FileExistsError:
    sys.exit("another of us is at work")
time.sleep(1)
os.rmdir("at-work")
sys.exit({status})
"""
"""A check that fails if two of it run at once."""


def last_wave(folder: Path, status: int) -> str:
    """Make a state directory whose last wave has passed its reviews; the project's check ends with this status."""
    project, state_dir = folder / "project", str(folder / "it's a $run é")
    project.mkdir()
    (project / "check.py").write_text(CHECK.format(status=status))
    check = shlex.join((sys.executable, "check.py"))
    plan = evolve(PLAN, milestones=tuple(evolve(each, tests=(f"command:{check}",)) for each in PLAN.milestones))
    approve(state_dir, str(project), "Limit callers", plan)
    change(state_dir, lambda run: evolve(run, building=Building(wave="W-001", code=("M-001",))))

    def passed(run: Run) -> Run:
        entries = ((row, *run.at(row.phase)) for row in ROWS)
        gates = (
            PassedGate(phase=phase, wave=wave, lap=lap, plan_digest=digest_of(plan)) for _, phase, wave, lap in entries
        )
        return evolve(run, gates=tuple(gates))

    change(state_dir, passed)
    return state_dir


def twice(command: Command) -> list[tuple[int, str]]:
    """Return status and output of a command that two processes run at once."""
    words = (*command.launcher, "-m", command.module, *command.words)
    both = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    prints = [each.communicate()[0] for each in both]
    return [(each.returncode, said) for each, said in zip(both, prints, strict=True)]


@pytest.mark.parametrize("status", [0, 1], ids=["passes", "fails"])
def test_projects_check_runs_once_with_a_consistent_ledger(status: int, tmp_path: Path) -> None:
    state_dir = last_wave(tmp_path, status)
    first, second = twice(Command(EXECUTOR, flags({"step": WAVE_STEPS.index(WAVE_NEXT) + 1, "state_dir": state_dir})))
    assert first == second
    assert first[0] == 0
    assert (tmp_path / "project" / "ran").read_text() == "once "
    run = RunState(state_dir).run
    assert run.building is not None
    assert [bool(each.failed) for each in run.checks] == [bool(status)]
    assert (run.finished, run.building.lap) == ((False, 2) if status else (True, 1))


def test_a_round_that_the_user_grants_is_granted_once(tmp_path: Path) -> None:
    state_dir, gate = str(tmp_path / "run"), step_id(PLAN_DESIGN, Block.ROUTE)
    os.mkdir(state_dir)
    begin(WORKFLOW, gate, state_dir)
    values: dict[str, Value] = {
        "step": STEPS.index(gate) + 1,
        "state_dir": state_dir,
        "qr_status": "fail",
        "grant_round": True,
    }
    first, second = twice(Command(PLANNER, flags(values)))
    assert first == second
    assert first[0] == 0
    assert [grant.iteration for grant in RunState(state_dir).run.grants] == [6]
    assert len(RunState(state_dir).run.rounds) == 1
    assert review_store(state_dir, PLAN_DESIGN.phase).load().iteration == 6


def test_starting_a_run_twice_at_once_creates_one_run(tmp_path: Path) -> None:
    first, second = twice(Command(PLANNER, flags({"step": 1, "task": "x", "state_dir": str(tmp_path / "run")})))
    assert first == second
    assert first[0] == 0
    assert run(Command("skills.planner.status", ("--state-dir", str(tmp_path / "run")))).returncode == 0
