"""Dispatches: the orchestrator prints what the decomposing reviewer replies, agent by agent."""

from pathlib import Path

import pytest

from lib.workflow.ast.dispatch import RosterDispatchNode, TemplateDispatchNode
from lib.workflow.ast.parse import parse
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command, flags
from lib.workflow.testing.inprocess import run_here
from skills.planner.limits import MAX_PARALLEL
from skills.planner.next_step import Block, step_id
from skills.planner.phases import PLANNING, PhaseScript, PhaseSpec
from tests.skills.planner.runs import planner, staged


def roster(state_dir: str, row: PhaseSpec, **values: int) -> RosterDispatchNode:
    ran = planner(step_id(row, Block.VERIFY), state_dir, **values)
    (node,) = (node for node in walk(parse(ran.out)) if isinstance(node, RosterDispatchNode))
    return node


@pytest.mark.parametrize("row", PLANNING, ids=lambda row: row.phase)
def test_both_scripts_print_the_same_dispatch(row: PhaseSpec, tmp_path: Path) -> None:
    state_dir = staged(tmp_path, step_id(row, Block.VERIFY))
    finalize = run_here(Command(row.module(PhaseScript.DECOMPOSE), flags({"step": 8, "state_dir": state_dir})))
    (compact,) = (node for node in walk(parse(finalize.out)) if isinstance(node, TemplateDispatchNode))
    assert compact.roster() == roster(state_dir, row)
    assert compact.expand() == roster(state_dir, row).expand()


@pytest.mark.parametrize(("most", "agents"), [(1, 1), (2, 2), (MAX_PARALLEL, 3), (32, 3)])
def test_the_user_says_how_many_verify_at_a_time(most: int, agents: int, tmp_path: Path) -> None:
    state_dir = staged(tmp_path, step_id(PLANNING[0], Block.VERIFY))
    node = roster(state_dir, PLANNING[0], max_parallel=most)
    assert (node.at_most, len(node.agents)) == (most, agents)
