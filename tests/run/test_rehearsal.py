"""Whole runs by the driver: every workflow comes to its end, and whatever agents do wrong, no run ends in a lie."""

from pathlib import Path

import pytest

from lib.workflow.app.starts import starts_by_hand
from lib.workflow.discovery import Found, search
from lib.workflow.run.engine import State
from lib.workflow.run.rehearsal import Fault
from skills.planner.limits import MAX_ROUNDS
from skills.planner.rehearsal import ITEMS, Planner
from skills.planner.schema.phase import Phase
from skills.planner.state.run_state import RunState
from tests.run.runs import cast, rehearse
from tests.subjects import PROOF

NEEDS_A_PLAN = "executor"
"""Goes on where another workflow has ended; its own rehearsal is in tests/skills/planner/test_execution.py."""
SKILLS = [item for item in search("skills")[0] if starts_by_hand(item) and item.workflow.name != NEEDS_A_PLAN]
PLANNER = PROOF.targets.workflows["skills.planner.orchestrator.planner"]
PLANNING = [Phase.PLAN_DESIGN, Phase.PLAN_CODE, Phase.PLAN_DOCS]


@pytest.mark.parametrize("faults", [(), tuple(Fault)], ids=["well", "badly"])
@pytest.mark.parametrize("skill", SKILLS, ids=lambda skill: skill.workflow.name)
def test_every_skill_is_driven_to_its_end_whatever_its_agents_do(
    skill: Found, faults: tuple[Fault, ...], tmp_path: Path
) -> None:
    agent, user = cast(skill.workflow, 5, faults)
    assert rehearse(skill.workflow, tmp_path, agent, user).state is State.DONE


def failures(mind: Planner) -> list[tuple[Phase, int, frozenset[str]]]:
    """The rounds that must have failed, by what the reviewers found: they judge what has not passed, five times.

    The fifth is the user's, who accepts what is left.
    """
    found: list[tuple[Phase, int, frozenset[str]]] = []
    for phase in PLANNING:
        left = frozenset(str(item["id"]) for item in ITEMS)
        for iteration in range(1, MAX_ROUNDS + 1):
            left = frozenset(item for item in left if mind.fault(phase, item, iteration))
            if not left:
                break
            found.append((phase, iteration, left))
    return found


@pytest.mark.parametrize(
    ("seed", "fault"),
    [
        *((seed, None) for seed in range(6)),
        *((6, fault) for fault in Fault),
        *(pytest.param(seed, fault, marks=pytest.mark.soak) for seed in range(7, 207) for fault in (None, *Fault)),
    ],
)
def test_a_plan_is_approved_by_what_its_reviewers_found_whatever_agents_do(
    seed: int, fault: Fault | None, tmp_path: Path
) -> None:
    faults = tuple(Fault) if fault is None else (fault,)
    agent, user = cast(PLANNER, seed, faults)
    ended = rehearse(PLANNER, tmp_path, agent, user)
    assert ended.state is State.DONE, ended.text
    run = RunState(str(tmp_path)).run
    assert [gate.phase for gate in run.gates] == PLANNING
    assert run.approval == run.gates[-1].plan_digest
    assert isinstance(agent.mind, Planner)
    accepted = [(gate.phase, MAX_ROUNDS, frozenset(gate.accepted)) for gate in run.gates if gate.accepted]
    recorded = [(each.phase, each.iteration, each.failed) for each in run.rounds]
    assert sorted([*recorded, *accepted]) == sorted(failures(agent.mind))
    assert {fault for _, fault in agent.misbehaved} <= set(faults)
