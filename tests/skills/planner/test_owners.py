"""A finding goes to the role that owns the fault, and passed work stays passed."""

from pathlib import Path

import pytest

from lib.workflow.ast.dispatch import SubagentDispatchNode
from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from lib.workflow.testing.inprocess import run_here
from lib.workflow.types import AgentRole
from skills.planner.next_step import Block, due, step_id
from skills.planner.phases import IMPL_CODE, IMPL_DOCS, PLAN_CODE, PLAN_DESIGN, PLAN_DOCS, PhaseScript, PhaseSpec
from skills.planner.review.findings import fixer, phase_at_work, to_fix
from skills.planner.schema.review.item_status import ItemStatus
from skills.planner.simulation.project import LIMIT
from skills.planner.state.run_state import RunState
from tests.blocks import only
from tests.skills.planner.reviewing import (
    FAILED,
    ITEMS,
    PASSED,
    at_work,
    building,
    change_plan,
    follows,
    gate,
    leads,
    passes,
    project,
    qr,
    renamed,
    review_of,
    reviewed,
    step,
    submit,
    through,
)

ARCHITECT = AgentRole.ARCHITECT


def found(folder: Path, row: PhaseSpec = PLAN_CODE, owner: AgentRole = ARCHITECT) -> str:
    """Make a run in which the first round of a phase has found a fault of another role."""
    state_dir = at_work(folder, row)
    submit(state_dir, row)
    reviewed(state_dir, row, FAILED, "--owner", owner)
    assert leads(gate(state_dir, row)) == step_id(row, Block.WORK)
    return state_dir


def launched(state_dir: str, row: PhaseSpec) -> tuple[AgentRole, str]:
    """Return the agent that the work step of a phase launches, and its script."""
    ran = step(state_dir, step_id(row, Block.WORK))
    assert ran.status == 0, ran.out
    (node,) = [each for each in walk(parse(ran.out)) if isinstance(each, SubagentDispatchNode)]
    return node.agent, node.invoke.command.module


@pytest.mark.parametrize(
    ("row", "owner", "first"),
    [
        (PLAN_CODE, AgentRole.ARCHITECT, PLAN_DESIGN),
        (PLAN_DOCS, AgentRole.ARCHITECT, PLAN_DESIGN),
        (PLAN_DOCS, AgentRole.DEVELOPER, PLAN_CODE),
        (PLAN_DOCS, AgentRole.TECHNICAL_WRITER, None),
        (PLAN_CODE, AgentRole.DEVELOPER, None),
    ],
)
def test_owner_of_a_finding_fixes_it_before_the_phase_continues(
    tmp_path: Path, row: PhaseSpec, owner: AgentRole, first: PhaseSpec | None
) -> None:
    state_dir = found(tmp_path, row, owner)
    work = step_id(row, Block.WORK)
    if first is not None:
        assert launched(state_dir, row) == (owner, first.module(PhaseScript.ROUTE))
        assert follows(step(state_dir, work)) == work
        assert submit(state_dir, row).refusal.code == "out-of-order"
        change_plan(state_dir, renamed("Another"))
        assert [submit(state_dir, first).status for _ in "12"] == [0, 0]
    else:
        change_plan(state_dir, renamed("Another"))
    assert launched(state_dir, row) == (row.role, row.module(PhaseScript.ROUTE))
    assert submit(state_dir, row).status == 0
    assert due(RunState(state_dir)).step == step_id(row, Block.VERIFY)
    states = {item.id: item.status for item in review_of(state_dir, row).items}
    assert states == {"qa-001": ItemStatus.PASS, "qa-002": ItemStatus.FAIL, "change-2": ItemStatus.TODO}
    reviewed(state_dir, row, PASSED)
    assert gate(state_dir, row).status == 0
    assert passes(state_dir, row)
    assert [each.phase for each in RunState(state_dir).run.gates].count(PLAN_DESIGN.phase) == 1


def test_each_role_sees_its_own_findings_and_the_phase_at_work_all_of_them(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DOCS)
    submit(state_dir, PLAN_DOCS)
    reviewed(state_dir, PLAN_DOCS, {"qa-001": "a", "qa-002": "", "qa-003": ""}, "--owner", "architect")
    assert qr(state_dir, PLAN_DOCS.phase, "get-item", "qa-002").status == 0
    gate(state_dir, PLAN_DOCS)
    state = RunState(state_dir)
    assert [item.id for item in to_fix(state, PLAN_DESIGN)] == ["qa-001"]
    assert [item.id for item in to_fix(state, PLAN_CODE)] == []
    assert [item.id for item in to_fix(state, PLAN_DOCS)] == ["qa-001"]
    assert (phase_at_work(state, PLAN_DESIGN), phase_at_work(state, PLAN_CODE)) == (PLAN_DOCS, None)
    assert fixer(state, PLAN_DOCS) is PLAN_DESIGN


def test_the_script_of_the_role_leads_to_the_fix_and_shows_the_finding(tmp_path: Path) -> None:
    state_dir = found(tmp_path)
    options = ("--step", "1", "--state-dir", state_dir)
    for part in (PhaseScript.ROUTE, PhaseScript.FIX):
        fix = run_here(Command(PLAN_DESIGN.module(part), options)).out
        assert ("qa-002" in fix, FAILED["qa-002"] in fix, "qa-001" in fix) == (True, True, False)
    refusal = only(run_here(Command(PLAN_DESIGN.module(PhaseScript.EXECUTE), options)).out, Refusal)
    assert refusal.code == "repair-due"


def test_role_that_changes_nothing_must_contest_its_own_findings(tmp_path: Path) -> None:
    state_dir = found(tmp_path)
    refusal = submit(state_dir, PLAN_DESIGN).refusal
    assert (refusal.code, "qa-002" in refusal.message) == ("nothing-changed", True)
    assert submit(state_dir, PLAN_DESIGN, "--contest", "qa-002", "--case", "x").status == 0
    assert submit(state_dir, PLAN_CODE).status == 0
    assert dict(RunState(state_dir).run.contested(PLAN_CODE.phase, 2)) == {"qa-002": "x"}


def test_findings_of_two_roles_are_fixed_in_the_order_of_their_phases(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DOCS)
    submit(state_dir, PLAN_DOCS)
    given = '[{"id": "qa-001", "scope": "*", "check": "c"}, {"id": "qa-002", "scope": "*", "check": "c"}]'
    assert qr(state_dir, PLAN_DOCS.phase, "create", "--items-file", "-", given=given).status == 0
    for item, owner in zip(ITEMS, ("developer", "architect"), strict=True):
        words = ("update-item", item, "--status", "FAIL", "--finding", "wrong", "--owner", owner)
        assert qr(state_dir, PLAN_DOCS.phase, *words).status == 0
    gate(state_dir, PLAN_DOCS)
    roles = []
    for row in (PLAN_DESIGN, PLAN_CODE, PLAN_DOCS):
        roles.append(launched(state_dir, PLAN_DOCS)[0])
        change_plan(state_dir, renamed(f"By {row.role}"))
        assert submit(state_dir, row).status == 0
    assert roles == [AgentRole.ARCHITECT, AgentRole.DEVELOPER, AgentRole.TECHNICAL_WRITER]
    assert due(RunState(state_dir)).step == step_id(PLAN_DOCS, Block.VERIFY)


def test_a_finding_in_the_code_of_a_wave_goes_back_to_its_developer(tmp_path: Path) -> None:
    state_dir = building(tmp_path)
    (project(state_dir) / LIMIT).write_text("LIMIT = 10\n")
    through(state_dir, IMPL_CODE)
    submit(state_dir, IMPL_DOCS)
    reviewed(state_dir, IMPL_DOCS, FAILED, "--owner", "developer")
    gate(state_dir, IMPL_DOCS)
    assert launched(state_dir, IMPL_DOCS) == (AgentRole.DEVELOPER, IMPL_CODE.module(PhaseScript.ROUTE))
    (project(state_dir) / LIMIT).write_text("LIMIT = 11\n")
    assert submit(state_dir, IMPL_CODE).status == 0
    assert launched(state_dir, IMPL_DOCS) == (AgentRole.TECHNICAL_WRITER, IMPL_DOCS.module(PhaseScript.ROUTE))
    assert submit(state_dir, IMPL_DOCS).status == 0
    reviewed(state_dir, IMPL_DOCS, PASSED)
    assert leads(gate(state_dir, IMPL_DOCS)) == "wave-next"
