"""A design that is longer than its milestones allow is not handed in."""

from collections.abc import Callable
from pathlib import Path

from attrs import evolve

from skills.planner.limits import PLAN_BASE, PLAN_EACH, PLAN_REPAIR, PLAN_SLACK
from skills.planner.phases import PLAN_CODE, PLAN_DESIGN
from skills.planner.reports.plan_markdown import plan_markdown
from skills.planner.schema.plan.document import Plan
from skills.planner.state.run_state import RunState
from tests.skills.planner.reviewing import (
    FAILED,
    at_work,
    change_plan,
    gate,
    reviewed,
    submit,
)


def test_a_design_that_is_longer_than_its_milestones_allow_is_not_handed_in(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    allowed = PLAN_BASE + PLAN_EACH * len(RunState(state_dir).plan.milestones) + PLAN_SLACK
    change_plan(state_dir, lambda plan: evolve(plan, overview=evolve(plan.overview, problem="x" * allowed)))
    refused = submit(state_dir, PLAN_DESIGN)
    assert refused.refusal.code == "too-long"
    assert "overview" in refused.refusal.fix
    change_plan(state_dir, lambda plan: evolve(plan, overview=evolve(plan.overview, problem="short")))
    assert submit(state_dir, PLAN_DESIGN).status == 0


def described(text: str) -> Callable[[Plan], Plan]:
    """Return the change that makes a text the problem of a plan."""
    return lambda plan: evolve(plan, overview=evolve(plan.overview, problem=text))


def test_a_repair_may_make_a_design_longer(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_DESIGN)
    plan = RunState(state_dir).plan
    room = PLAN_BASE + PLAN_EACH * len(plan.milestones) + PLAN_SLACK - len(plan_markdown(plan))
    filled = plan.overview.problem + "x" * room
    change_plan(state_dir, described(filled))
    assert submit(state_dir, PLAN_DESIGN).status == 0
    reviewed(state_dir, PLAN_DESIGN, FAILED)
    gate(state_dir, PLAN_DESIGN)
    for more, expected in ((PLAN_REPAIR + 1, 1), (PLAN_REPAIR, 0)):
        change_plan(state_dir, described(filled + "x" * more))
        assert submit(state_dir, PLAN_DESIGN).status == expected


def test_code_and_documents_make_no_design_too_long(tmp_path: Path) -> None:
    state_dir = at_work(tmp_path, PLAN_CODE)
    change_plan(state_dir, lambda plan: evolve(plan, overview=evolve(plan.overview, problem="x" * 50_000)))
    assert submit(state_dir, PLAN_CODE).status == 0
