"""Whole runs by the driver: every workflow comes to its end, and whatever agents do wrong, no run ends in a lie."""

import shlex
import subprocess
from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path

import pytest

from lib.workflow.app.starts import starts_by_hand
from lib.workflow.core import Workflow
from lib.workflow.discovery import Found, search
from lib.workflow.run.engine import State
from lib.workflow.run.rehearsal import Fault
from skills.planner.due import EXECUTOR, PLANNER
from skills.planner.limits import MAX_LAPS, MAX_ROUNDS
from skills.planner.playing.building import Builder
from skills.planner.playing.plan import CHECK, PLAN
from skills.planner.playing.planning import ITEMS, At
from skills.planner.playing.project import git, read
from skills.planner.schema.phase import Phase
from skills.planner.schema.run import PassedGate, Round
from skills.planner.state.files import digest_of
from skills.planner.state.run_state import RunState
from tests.run.runs import cast, rehearse
from tests.subjects import PROOF

SKILLS = [item for item in search("skills")[0] if starts_by_hand(item)]
PLANNING: list[At] = [(phase, None, 1) for phase in (Phase.PLAN_DESIGN, Phase.PLAN_CODE, Phase.PLAN_DOCS)]
ALL = frozenset(str(item["id"]) for item in ITEMS)
AGAIN = frozenset({"check-001"})
"""What is reviewed in a lap that mends what the project's check has found."""
CASES = [
    *((seed, None) for seed in range(2)),
    *((6, fault) for fault in Fault),
    *(pytest.param(seed, fault, marks=pytest.mark.soak) for seed in range(7, 207) for fault in (None, *Fault)),
]
Failed = list[tuple[At, int, frozenset[str]]]


@pytest.mark.parametrize("faults", [(), tuple(Fault)], ids=["well", "badly"])
@pytest.mark.parametrize("skill", SKILLS, ids=lambda skill: skill.workflow.name)
def test_every_skill_is_driven_to_its_end_whatever_its_agents_do(
    skill: Found, faults: tuple[Fault, ...], tmp_path: Path
) -> None:
    agent, user = cast(skill.workflow, 5, faults)
    assert rehearse(skill.workflow, tmp_path, agent, user).state is State.DONE


def driven(workflow: Workflow, seed: int, fault: Fault | None, folder: Path) -> tuple[Builder, RunState, set[Fault]]:
    """Who played a run that has come to its end, what is on record, and what went wrong besides reviews."""
    faults = tuple(Fault) if fault is None else (fault,)
    agent, user = cast(workflow, seed, faults)
    ended = rehearse(workflow, folder, agent, user)
    assert ended.state is State.DONE, ended.text
    misbehaved = {fault for _, fault in agent.misbehaved}
    assert misbehaved <= set(faults)
    assert isinstance(agent.mind, Builder)
    return agent.mind, RunState(str(folder)), misbehaved


def found_by(mind: Builder, at: At, items: frozenset[str]) -> Failed:
    """The rounds that must have failed: reviewers judge what has not passed, five times. The user accepts the rest."""
    found: Failed = []
    for iteration in range(1, MAX_ROUNDS + 1):
        items = frozenset(item for item in items if mind.fault(at, item, iteration))
        if not items:
            break
        found.append((at, iteration, items))
    return found


def recorded(rounds: Iterable[Round]) -> Failed:
    return [(each.at, each.iteration, each.failed) for each in rounds]


def accepted(gates: Iterable[PassedGate]) -> Failed:
    return [(gate.at, MAX_ROUNDS, frozenset(gate.accepted)) for gate in gates if gate.accepted]


@pytest.mark.parametrize(("seed", "fault"), CASES)
def test_a_plan_is_approved_by_what_its_reviewers_found_whatever_agents_do(
    seed: int, fault: Fault | None, tmp_path: Path
) -> None:
    mind, state, _ = driven(PROOF.targets.workflows[PLANNER], seed, fault, tmp_path)
    run = state.run
    assert [gate.at for gate in run.gates] == PLANNING
    assert run.approval == run.gates[-1].plan_digest == digest_of(state.plan)
    assert state.plan.milestones == PLAN.milestones
    failed = [each for at in PLANNING for each in found_by(mind, at, ALL)]
    assert sorted([*recorded(run.rounds), *accepted(run.gates)]) == sorted(failed)


def built(mind: Builder) -> tuple[list[At], Failed, list[int]]:
    """What must have been reviewed, what must have failed there, and the laps in which the project's check did."""
    broken = list(takewhile(lambda lap: lap == 1 or mind.overlooks(lap), range(1, MAX_LAPS + 1)))
    last = min(len(broken) + 1, MAX_LAPS)
    places = [("W-001", 1), *(("W-002", lap) for lap in range(1, last + 1))]
    reviewed: list[At] = [(phase, *place) for place in places for phase in (Phase.IMPL_CODE, Phase.IMPL_DOCS)]
    if not mind.fails:  # found by looking at the files, once in each phase of the first wave
        return reviewed, [(at, 1, frozenset({"qa-002"})) for at in reviewed[:2]], broken
    failed: Failed = []
    for at in reviewed:
        failed += found_by(mind, at, AGAIN if at[0] is Phase.IMPL_CODE and at[2] > 1 else ALL)
    return reviewed, failed, broken


@pytest.mark.parametrize(("seed", "fault"), CASES)
def test_a_plan_is_carried_out_and_what_is_recorded_of_it_is_true_whatever_agents_do(
    seed: int, fault: Fault | None, tmp_path: Path
) -> None:
    mind, state, misbehaved = driven(PROOF.targets.workflows[EXECUTOR], seed, fault, tmp_path)
    run, project = state.run, state.run.project_root
    reviewed, failed, broken = built(mind)
    gates = run.gates[len(PLANNING) :]
    assert (run.finished, [gate.at for gate in gates]) == (True, reviewed)
    assert recorded(run.rounds) == failed
    assert accepted(gates) == [each for each in failed if each[1] == MAX_ROUNDS]
    assert [each.lap for each in run.checks if each.failed] == broken
    assert bool(run.checks[-1].failed) is (broken[-1] == MAX_LAPS)
    tested = subprocess.run(shlex.split(CHECK), cwd=project, capture_output=True, check=False)
    assert (tested.returncode != 0) is bool(run.checks[-1].failed)
    log = git(project, "log", "--format=%s").splitlines()
    assert log[-2:] == ["Move", "Begin"]
    if (
        Fault.NONSENSE not in misbehaved
    ):  # who says `done` and has not committed is believed: users may commit themselves
        assert len(log) >= 4
        assert git(project, "status", "--porcelain") == ""
    assert all(read(project, file) for milestone in PLAN.milestones for file in milestone.files)
    assert "Counter" in read(project, "src/api.py")
