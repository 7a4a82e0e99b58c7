"""No review that somebody puts on disk passes a gate that is not due."""

from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.results import Refusal
from lib.workflow.testing.process import Ran
from skills.planner.due import CONTEXT, Block, step_id
from skills.planner.phases import PLAN_CODE, PLAN_DESIGN, PLAN_DOCS, Row
from skills.planner.schema.review import ItemStatus, Review, ReviewItem
from skills.planner.state.reviews import review_store
from skills.planner.state.run_state import RunState
from tests.blocks import only
from tests.skills.planner.runs import planner, staged

PASSED = ReviewItem(id="qa-001", scope="*", check="It holds", status=ItemStatus.PASS, judged=1)


def asked(state_dir: str, row: Row) -> Ran:
    return planner(step_id(row, Block.ROUTE), state_dir, qr_status="pass")


def refused(ran: Ran) -> str:
    """The code of a refusal that names the command that is due."""
    refusal = only(ran.out, Refusal)
    assert ran.status == 1
    assert refusal.invoke is not None
    return refusal.code


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
def test_a_gate_that_is_not_due_lets_no_review_pass(due: str, row: Row, tmp_path: Path) -> None:
    state_dir = staged(tmp_path, due)
    review_store(state_dir, row.phase).create(Review(phase=row.phase, items=(PASSED,)))
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
