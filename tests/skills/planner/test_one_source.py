"""Texts about one rule come from one place."""

from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.visitor import walk
from lib.workflow.handlers.base import StepContext
from lib.workflow.types import AgentRole, Severity
from skills.conventions.timeless.kinds import kinds
from skills.planner.agents.slots import COMMON, SlotContext, passage
from skills.planner.agents.wave_slots import WAVE_FACTS
from skills.planner.commands.plan_table import TABLE
from skills.planner.limits import Policy
from skills.planner.phases import IMPL_DOCS, PLAN_DESIGN, PLAN_DOCS, PhaseSpec
from skills.planner.review.findings import to_fix
from skills.planner.review.gate import decide
from skills.planner.schema.plan.milestone import TEST_FORMS
from skills.planner.schema.review.document import ItemStatus, Review, ReviewItem
from skills.planner.state.reviews import review_store
from skills.planner.state.run_state import RunState
from skills.planner.texts import categories
from tests.skills.planner.runs import staged


def where(row: PhaseSpec) -> SlotContext:
    return SlotContext(row, AgentRole.QUALITY_REVIEWER, StepContext("x"))


@pytest.mark.parametrize("row", [PLAN_DOCS, IMPL_DOCS], ids=lambda row: row.phase)
def test_prompt_for_wording_reviews_has_every_kind_of_the_convention(row: PhaseSpec) -> None:
    nodes = passage(categories(row.phase)["timeless"], where(row), {**COMMON, **WAVE_FACTS})
    text = "\n".join(each.value for node in nodes for each in walk(node) if isinstance(each, Text))
    assert [row.kind for row in kinds().values() if row.question not in text] == []


def test_a_flag_for_tests_names_each_of_their_forms() -> None:
    described = TABLE.rows["set-milestone"].arguments["tests"].flag.description
    assert not [form for form in TEST_FORMS if form not in described]


@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("iteration", range(1, 6))
def test_the_items_to_fix_are_those_that_hold_the_gate(tmp_path: Path, policy: Policy, iteration: int) -> None:
    state_dir = staged(tmp_path, "plan-design-work")
    items = tuple(
        ReviewItem(
            id=f"qa-{severity}",
            scope="*",
            check="c",
            severity=severity,
            status=ItemStatus.FAIL,
            finding="f",
            judged=iteration,
        )
        for severity in Severity
    )
    review = Review(phase=PLAN_DESIGN.phase, iteration=iteration, items=items)
    holding = decide(review, policy=policy).failed
    review_store(state_dir, PLAN_DESIGN.phase).create(evolve(review, iteration=iteration + 1))
    row = evolve(PLAN_DESIGN, policy=policy)
    assert tuple(item.id for item in to_fix(RunState(state_dir), row)) == holding
    assert "qa-MUST" in holding
