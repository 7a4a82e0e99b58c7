"""No review on disk passes a gate before its turn."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.arguments.parameter import Value
from lib.workflow.ast.results import Refusal
from lib.workflow.command import Command
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.process import Ran
from skills.planner.limits import MAX_ROUNDS
from skills.planner.modules import EXECUTOR, PLAN, PLANNER
from skills.planner.next_step import CONTEXT, WAVE_STEPS, Block, step_id
from skills.planner.phases import IMPL_CODE, PLAN_CODE, PLAN_DESIGN, PLAN_DOCS, PhaseSpec
from skills.planner.schema.phase import Phase
from skills.planner.schema.review.document import ItemStatus, Review, ReviewItem
from skills.planner.staging import begin
from skills.planner.state.files import plan_store
from skills.planner.state.reviews import review_store
from skills.planner.state.run_state import RunState
from tests.blocks import only
from tests.skills.planner.runs import planner, staged
from tests.subjects import PROOF

LAST = step_id(PLAN_DOCS, Block.ROUTE)
PASSED = ReviewItem(id="qa-001", scope="*", check="It holds", status=ItemStatus.PASS, judged=1)


def asked(state_dir: str, row: PhaseSpec) -> Ran:
    return planner(step_id(row, Block.ROUTE), state_dir, qr_status="pass")


def refused(ran: Ran) -> str:
    """Return the code of a refusal."""
    assert ran.status == 1
    return only(ran.out, Refusal).code


@pytest.mark.parametrize(
    ("due", "row"),
    [
        (CONTEXT, PLAN_DESIGN),
        (CONTEXT, PLAN_DOCS),
        (step_id(PLAN_DESIGN, Block.WORK), PLAN_DESIGN),
        (step_id(PLAN_DESIGN, Block.WORK), PLAN_DOCS),
        (step_id(PLAN_CODE, Block.VERIFY), PLAN_DOCS),
    ],
)
def test_gate_out_of_order_passes_no_review(due: str, row: PhaseSpec, tmp_path: Path) -> None:
    state_dir = staged(tmp_path, due)
    review_store(state_dir, row.phase).create(Review(phase=row.phase, iteration=1, items=(PASSED,)))
    before = RunState(state_dir).run
    assert refused(asked(state_dir, row)) == "out-of-order"
    assert RunState(state_dir).run == before


def test_a_repair_that_is_not_handed_in_does_not_pass_by_verdicts_alone(tmp_path: Path) -> None:
    state_dir = staged(tmp_path, step_id(PLAN_DESIGN, Block.ROUTE))
    store = review_store(state_dir, PLAN_DESIGN.phase)
    failed = evolve(PASSED, status=ItemStatus.FAIL, finding="M-001 names none")
    store.change(lambda review: (evolve(review, iteration=1, items=(failed,)), None))
    assert asked(state_dir, PLAN_DESIGN) == asked(state_dir, PLAN_DESIGN)
    store.change(lambda review: (evolve(review, items=(evolve(PASSED, judged=2),)), None))
    assert refused(asked(state_dir, PLAN_DESIGN)) == "out-of-order"
    assert RunState(state_dir).run.gate(PLAN_DESIGN.phase) is None


@pytest.mark.parametrize("answer", [{"qr_status": "pass"}, {"qr_status": "fail", "accept_findings": True}])
def test_a_plan_that_was_spoilt_after_its_hand_in_does_not_pass(answer: Mapping[str, Value], tmp_path: Path) -> None:
    state_dir = staged(tmp_path, LAST)
    if answer["qr_status"] == "pass":
        passed = evolve(PASSED, judged=MAX_ROUNDS)
        review_store(state_dir, PLAN_DOCS.phase).change(lambda review: (evolve(review, items=(passed,)), None))
    plan_store(state_dir).change(lambda plan: (evolve(plan, waves=()), None))
    assert refused(planner(LAST, state_dir, **answer)) == "invalid-plan"
    assert RunState(state_dir).run.gate(PLAN_DOCS.phase) is None


def test_plan_changed_after_its_last_gate_is_refused_by_the_repeated_gate(
    tmp_path: Path,
) -> None:
    state_dir = staged(tmp_path, LAST)
    assert planner(LAST, state_dir, qr_status="fail", accept_findings=True).status == 0
    approved, shown = RunState(state_dir).run, Path(state_dir, "plan.md").read_text(encoding="utf-8")
    plan = plan_store(state_dir).load()
    more = evolve(plan.milestones[0], id="M-002", code_intents=(), code_changes=())
    plan_store(state_dir).change(lambda _: (evolve(plan, milestones=(*plan.milestones, more)), None))
    assert refused(planner(LAST, state_dir, qr_status="pass")) == "other-plan"
    assert RunState(state_dir).run == approved
    assert Path(state_dir, "plan.md").read_text(encoding="utf-8") == shown


@pytest.mark.parametrize(
    ("due", "phase"),
    [
        (step_id(PLAN_DESIGN, Block.WORK), Phase.PLAN_CODE),
        (step_id(PLAN_CODE, Block.WORK), Phase.PLAN_DOCS),
        (step_id(IMPL_CODE, Block.WORK), Phase.IMPL_DOCS),
    ],
)
def test_nothing_is_handed_in_before_its_turn(due: str, phase: Phase, tmp_path: Path) -> None:
    state_dir = str(tmp_path / "run")
    Path(state_dir).mkdir()
    workflow = PROOF.targets.workflows[EXECUTOR if due in WAVE_STEPS else PLANNER]
    begin(workflow, due, state_dir)
    before = RunState(state_dir).run
    assert refused(run_here(Command(PLAN, ("--state-dir", state_dir, "submit", phase)))) == "out-of-order"
    assert RunState(state_dir).run == before
