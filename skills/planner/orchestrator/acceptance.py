"""Acceptance after the last wave: the project's own checks, and the laps that fix their failures."""

from typing import Literal

from attrs import evolve

from lib.workflow.core import AskUser, Outcome, RefusedError, State

from ..execution.waves import checks_of
from ..limits import MAX_GRANTS, MAX_LAPS
from ..next_step import WAVE_NEXT, not_asked
from ..phases import IMPL_CODE
from ..review.difference import item as difference_item
from ..review.rounds import abort
from ..schema.choice import Choice
from ..schema.review.document import ItemStatus, Review, ReviewItem
from ..schema.run import Building, Round, Run, Verdict
from ..state.files import change_run
from ..state.reviews import review_store
from ..state.run_state import RunState
from .gate.user_choice import asking


def after_last(state: RunState, choice: Choice | None) -> tuple[Literal[Outcome.OK, Outcome.FAIL], State] | AskUser:
    """Lead to the end, back to the work, or to the user, depending on the project's checks.

    Raises RefusedError for an answer without a question, and for more laps than the user can grant.
    """
    run = _checked(state)
    assert run.building is not None
    failed, lap = run.failing, run.building.lap
    if not failed:
        _check_unasked(choice)
    elif lap < MAX_LAPS:
        _check_unasked(choice)
        again(state, failed, run.building)
        return Outcome.FAIL, {}
    elif choice is None:
        return _question(failed, MAX_LAPS + MAX_GRANTS - lap)
    elif choice is Choice.ABORT:
        abort(state)
        return Outcome.OK, {}
    elif choice is Choice.GRANT:
        if lap >= MAX_LAPS + MAX_GRANTS:
            what = f"all {MAX_GRANTS} rounds have been granted"
            raise RefusedError("no-round-left", WAVE_NEXT, what, "Accept the findings, or end the run.")
        again(state, failed, run.building)
        return Outcome.FAIL, {}
    change_run(state.state_dir, lambda found: evolve(found, finished=True))
    return Outcome.OK, {}


def _question(failed: tuple[Verdict, ...], left: int) -> AskUser:
    texts = {
        Choice.ACCEPT: "end here; the ledger records the failures",
        Choice.GRANT: "fix and review once more",
        Choice.ABORT: "end this run as cancelled",
    }
    names = ", ".join(each.item for each in failed)
    return asking(f"After the last lap these checks still fail: {names}. How should the run continue?", texts, left, {})


def _checked(state: RunState) -> Run:
    """Return the ledger with the results of the project's checks, which run once per lap."""
    run = state.run
    assert run.building is not None
    if run.checked:
        return run
    _check_untracked(state)
    from ..execution.checks import run_checks  # runs processes

    phase, wave, lap = run.at(IMPL_CODE.phase)
    verdicts = tuple(run_checks(checks_of(state.plan), state.project))
    made = Round(phase=phase, wave=wave, lap=lap, iteration=1, verdicts=verdicts)
    return change_run(
        state.state_dir, lambda found: found if found.checked else evolve(found, checks=(*found.checks, made))
    )


def _check_untracked(state: RunState) -> None:
    """Raise RefusedError if the repository tracks files of the run, because git may overwrite them."""
    from ..execution.worktree import is_tracked

    if is_tracked(state.project, state.state_dir):
        what = "the repository tracks files of this run, so a checkout may have changed what it would run"
        fix = "Remove them from the repository (git rm --cached), check the plan's commands, and run the step again."
        raise RefusedError("tracked-run", state.state_dir, what, fix)


def again(state: RunState, failed: tuple[Verdict, ...], building: Building) -> None:
    """Open the next lap. The failures are the findings that its work fixes first.

    The lap is recorded last, so the next process can finish what an interrupted one has left.
    """
    items = tuple(
        ReviewItem(
            id=f"check-{number:03d}",
            scope="*",
            check=f"`{each.item}` ends with exit status 0",
            category="checks",
            status=ItemStatus.FAIL,
            finding=each.finding,
        )
        for number, each in enumerate(failed, 1)
    )
    review = Review(phase=IMPL_CODE.phase, iteration=1, items=(*items, difference_item(1)))
    review_store(state.state_dir, IMPL_CODE.phase).create(review)
    lap = evolve(building, lap=building.lap + 1, applied=False)
    change_run(state.state_dir, lambda run: evolve(run, building=lap) if run.building == building else run)


def _check_unasked(choice: Choice | None) -> None:
    if choice is not None:
        raise not_asked(WAVE_NEXT)
