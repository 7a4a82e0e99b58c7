"""A gate that dies between two writes is completed by the next call, and nothing is counted twice."""

from itertools import chain, combinations
from pathlib import Path

import pytest
from attrs import evolve

from skills.planner.next_step import Block, step_id
from skills.planner.phases import PLAN_DESIGN
from skills.planner.review import rounds
from skills.planner.schema.choice import Choice
from skills.planner.schema.review.document import ItemStatus, Review
from skills.planner.state.reviews import get_qr_iteration, review_store
from skills.planner.state.run_state import RunState
from tests.skills.planner.runs import planner, staged

GATE = step_id(PLAN_DESIGN, Block.ROUTE)
CAUTION = (Choice.ABORT, Choice.GRANT, Choice.ACCEPT)
"""The most cautious choice first."""


def judged(folder: Path, status: ItemStatus) -> str:
    """Make a run whose first round has this verdict on every item."""
    state_dir = staged(folder, GATE)

    def all_of(review: Review) -> tuple[Review, None]:
        finding = "M-001 names none" if status is ItemStatus.FAIL else None
        items = tuple(evolve(item, status=status, finding=finding, judged=1) for item in review.items)
        return evolve(review, iteration=1, items=items), None

    review_store(state_dir, PLAN_DESIGN.phase).change(all_of)
    return state_dir


def fails(name: str, patch: pytest.MonkeyPatch) -> None:
    """Let a write of the rounds fail."""

    def failing(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    patch.setattr(rounds, name, failing)


def test_a_pass_that_is_not_in_the_ledger_leaves_its_review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state_dir = judged(tmp_path, ItemStatus.PASS)
    with monkeypatch.context() as patch:
        fails("change_run", patch)
        with pytest.raises(OSError, match="space"):
            rounds.let_pass(RunState(state_dir), PLAN_DESIGN)
    assert RunState(state_dir).review(PLAN_DESIGN.phase) is not None
    assert planner(GATE, state_dir, qr_status="pass").status == 0
    assert RunState(state_dir).run.gate(PLAN_DESIGN.phase) is not None


def test_a_round_that_is_in_the_ledger_is_closed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state_dir = judged(tmp_path, ItemStatus.FAIL)
    begun = RunState(state_dir).review(PLAN_DESIGN.phase)
    with monkeypatch.context() as patch:
        patch.setattr(rounds, "review_store", lambda *_: pytest.fail("killed"))
        patch.setattr(rounds, "_begun", lambda *_: begun)
        with pytest.raises(pytest.fail.Exception, match="killed"):
            rounds.close(RunState(state_dir), PLAN_DESIGN)
    assert [each.iteration for each in RunState(state_dir).run.rounds] == [1]
    assert planner(GATE, state_dir, qr_status="fail").status == 0
    assert get_qr_iteration(state_dir, PLAN_DESIGN.phase) == 2
    review_store(state_dir, PLAN_DESIGN.phase).change(lambda review: (evolve(review, iteration=3), None))
    monkeypatch.setattr(rounds, "_begun", lambda *_: begun)  # a late process has read the review long before
    rounds.close(RunState(state_dir), PLAN_DESIGN)
    assert [each.iteration for each in RunState(state_dir).run.rounds] == [1]
    assert get_qr_iteration(state_dir, PLAN_DESIGN.phase) == 3


@pytest.mark.parametrize("answers", list(chain.from_iterable(combinations(CAUTION, size) for size in (1, 2, 3))))
def test_most_cautious_of_several_answers_wins(answers: tuple[Choice, ...]) -> None:
    assert Choice.of(*(choice in answers for choice in (Choice.ACCEPT, Choice.GRANT, Choice.ABORT))) is answers[0]
