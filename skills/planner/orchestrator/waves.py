"""Transitions between waves: changes of the record by the executor's first and last step. Each can be repeated."""

from typing import TYPE_CHECKING, Literal

from attrs import evolve

from lib.workflow.core import AskUser, Outcome, State

from ..execution.approval import check_approved, check_valid
from ..next_step import EXEC_INIT, WAVE_NEXT, Block, due, not_asked, out_of_order, step_id
from ..phases import wave_of
from ..schema.run import Run
from ..state.files import change_run
from ..state.run_state import RunState

if TYPE_CHECKING:
    from ..schema.choice import Choice

Way = Literal[Outcome.OK, Outcome.SKIP, Outcome.ITERATE, Outcome.FAIL]


def begin(state: RunState, reconcile: bool) -> Literal[Outcome.OK, Outcome.SKIP, Outcome.ITERATE]:
    """Start the first wave, or have a reviewer look first. Raises RefusedError for a plan that must not be built."""
    check_approved(state)
    found = due(state)
    if found.step != EXEC_INIT:
        if state.run.finished or state.run.aborted or not _at_start(state):
            raise out_of_order(state, EXEC_INIT)
    elif reconcile and not state.run.reconciling:
        change_run(state.state_dir, lambda run: evolve(run, reconciling=True))
        return Outcome.ITERATE
    elif found.reconcile:
        if reconcile:
            return Outcome.ITERATE
        raise out_of_order(state, EXEC_INIT)
    else:
        check_valid(state)
        _move(state, None)
    return Outcome.OK if RunState(state.state_dir).run.reviews_code else Outcome.SKIP


def advance(state: RunState, choice: "Choice | None") -> tuple[Way, State] | AskUser:
    """Go to the next wave; after the last, to the project's own checks, then to the end or back to the work.

    Raises RefusedError for a wave that has not passed its reviews.
    """
    run = state.run
    if run.finished or run.aborted:
        return Outcome.OK, {}
    check_approved(state)
    if due(state).step != WAVE_NEXT:
        if not _at_start(state):
            raise out_of_order(state, WAVE_NEXT)
        return _lead(run), {}
    assert run.building is not None
    if run.after(run.building.wave):
        if choice is not None:
            raise not_asked(WAVE_NEXT)
        _move(state, run.building.wave)
        return _lead(RunState(state.state_dir).run), {}
    from .acceptance import after_last  # only the last wave pays for this import

    return after_last(state, choice)


def _move(state: RunState, wave: str | None) -> None:
    """Move from a wave to the next. A second process that tries the same changes nothing."""

    def record(run: Run) -> Run:
        at = run.building.wave if run.building else None
        return evolve(run, building=run.after(wave)) if at == wave else run

    change_run(state.state_dir, record)


def _at_start(state: RunState) -> bool:
    """Return True if no agent has worked in a wave or a lap yet, so that the step before it can run again.

    The later steps refuse to run out of order. The script may have applied the wave and started its review.
    """
    if state.run.building is None:
        return False
    first = wave_of(state.run)[0]
    review = state.review(first.phase)
    untouched = review is None or not any(item.judged for item in review.items)
    steps = {step_id(first, block) for block in (Block.WORK, Block.DECOMPOSE, Block.VERIFY)}
    return untouched and due(state).step in steps and state.round(first.phase) == 1


def _lead(run: Run) -> Way:
    if run.building is not None and run.building.lap > 1:
        return Outcome.FAIL
    return Outcome.ITERATE if run.reviews_code else Outcome.SKIP
