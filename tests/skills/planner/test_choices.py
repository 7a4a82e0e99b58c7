"""The user's decision after a failed last round, and a gate's effect on the state."""

import os
from pathlib import Path

import pytest

from lib.workflow.arguments.parameter import Value
from lib.workflow.ast.parse import parse
from lib.workflow.ast.relay import NeedsUserInput
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.step import Complete, InvokeAfter
from lib.workflow.command import Command
from lib.workflow.testing.inprocess import run_here
from skills.planner.limits import MAX_GRANTS, MAX_ROUNDS
from skills.planner.schema.phase import Phase
from skills.planner.schema.review.document import ItemStatus, ReviewItem
from skills.planner.staging import ITEMS
from skills.planner.state.reviews import get_qr_iteration
from skills.planner.state.run_state import RunState
from tests.blocks import only
from tests.skills.planner.runs import planner, staged

GATE = "plan-design-qr-route"


@pytest.fixture
def last(tmp_path: Path) -> str:
    """Make a run whose last round of plan-design has failed by every item."""
    return staged(tmp_path, GATE)


def ways(state_dir: str, **values: Value) -> list[Command]:
    ran = planner(GATE, state_dir, qr_status="fail", **values)
    after = parse(ran.out).blocks[-1]
    assert isinstance(after, InvokeAfter)
    return [after.invoke.command] if after.invoke else [branch.invoke.command for branch in after.branches]


def test_after_the_last_round_the_user_is_asked_with_a_command_for_each_answer(last: str) -> None:
    ran = planner(GATE, last, qr_status="fail")
    assert ran.status == 3
    assert [type(block) for block in parse(ran.out).blocks][2:] == [NeedsUserInput, InvokeAfter]
    assert [command.words[-1] for command in ways(last)] == ["--accept-findings", "--grant-round", "--abort"]
    assert RunState(last).run.rounds == ()


def test_accepted_findings_become_risks_and_the_gate_passes(last: str) -> None:
    accept = ways(last)[0]
    once, again = run_here(accept), run_here(accept)
    assert once == again
    state = RunState(last)
    gate = state.run.gate(Phase.PLAN_DESIGN)
    assert gate is not None
    assert gate.accepted == tuple(f"qa-{number:03d}" for number in range(1, ITEMS + 1))
    assert [each.failed for each in state.run.rounds] == [frozenset(gate.accepted)]
    assert len(state.plan.planning_context.risks) == ITEMS
    assert state.review(Phase.PLAN_DESIGN) is None
    after = parse(once.out).blocks[-1]
    assert isinstance(after, InvokeAfter)
    assert after.invoke is not None
    assert after.invoke.command.words[:2] == ("--step", "8")


def test_granted_round_is_one_more_and_leads_to_the_fix(last: str) -> None:
    grant = ways(last)[1]
    once, again = run_here(grant), run_here(grant)
    assert once == again
    assert get_qr_iteration(last, Phase.PLAN_DESIGN) == MAX_ROUNDS + 1
    assert RunState(last).run.granted(Phase.PLAN_DESIGN) == 1
    assert len(RunState(last).run.rounds) == 1


def test_no_more_than_three_rounds_are_granted(last: str) -> None:
    for number in range(MAX_GRANTS):
        (grant,) = [command for command in ways(last) if command.words[-1] == "--grant-round"]
        assert run_here(grant).status == 0
        submitted_and_failed(last, MAX_ROUNDS + number + 1)
    assert [command.words[-1] for command in ways(last)] == ["--accept-findings", "--abort"]
    ran = planner(GATE, last, qr_status="fail", grant_round=True)
    refusal = only(ran.out, Refusal)
    assert refusal.code == "no-round-left"


def submitted_and_failed(state_dir: str, iteration: int) -> None:
    """Hand the fix in, and let every item fail again."""
    from attrs import evolve

    from skills.planner.schema.run import Submission
    from skills.planner.state.reviews import review_store
    from tests.skills.planner.runs import change

    more = Submission(phase=Phase.PLAN_DESIGN, iteration=iteration)
    change(state_dir, lambda run: evolve(run, submissions=(*run.submissions, more)))
    store = review_store(state_dir, Phase.PLAN_DESIGN)

    def failed(item: ReviewItem) -> ReviewItem:
        return evolve(item, status=ItemStatus.FAIL, finding="M-001 names none", judged=iteration)

    store.change(lambda review: (evolve(review, items=tuple(map(failed, review.items))), None))


def test_a_run_that_the_user_ends_stays_ended(last: str) -> None:
    abort = ways(last)[2]
    once, again = run_here(abort), run_here(abort)
    assert once == again
    assert isinstance(parse(once.out).blocks[-1], Complete)
    assert planner("plan-design-work", last).status == 1


@pytest.mark.parametrize("flag", ["accept_findings", "grant_round", "abort"])
def test_answer_without_a_question_is_refused(flag: str, tmp_path: Path) -> None:
    state_dir = staged(tmp_path, "plan-design-qr-verify")
    ran = planner(GATE, state_dir, qr_status="fail", **{flag: True})
    refusal = only(ran.out, Refusal)
    assert (ran.status, refusal.code) == (1, "nothing-to-decide")
    assert not RunState(state_dir).run.aborted


@pytest.mark.parametrize("claimed", ["pass", "fail"])
def test_a_gate_whose_review_is_missing_says_what_to_run(claimed: str, tmp_path: Path) -> None:
    state_dir = staged(tmp_path, "plan-design-qr-decompose")
    ran = planner(GATE, state_dir, qr_status=claimed)
    refusal = only(ran.out, Refusal)
    assert refusal.invoke is not None
    assert refusal.invoke.command.words[:2] == ("--step", "4")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"items":[',
        '{"phase": "plan-design", "iteration": 1, "items": []}',
        '{"phase": "plan-code", "iteration": 1, "items": [{"id": "a", "scope": "*", "check": "c", "status": "PASS"}]}',
        '{"phase": "plan-design", "iteration": 1, "items": [{"id": "a", "scope": "*", "check": "c", "status": "fail"}]}',
        '{"phase": "plan-design", "iteration": 1, "items": [{"id": "a", "scope": "*", "check": "c", "status": "SKIPPED"}]}',
        '{"phase": "plan-design", "iteration": 1, "items": "x"}',
    ],
)
def test_unusable_review_never_passes_and_is_left_unchanged(content: str, tmp_path: Path) -> None:
    state_dir = staged(tmp_path, "plan-design-qr-decompose")
    path = os.path.join(state_dir, "qr-plan-design.json")
    Path(path).write_text(content)
    ran = planner(GATE, state_dir, qr_status="pass")
    refusal = only(ran.out, Refusal)
    assert (ran.status, refusal.target) == (1, path)
    assert Path(path).read_text() == content
    assert RunState(state_dir).run.gates == ()
