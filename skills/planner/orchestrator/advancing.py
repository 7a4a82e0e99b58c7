"""From wave to wave: what the executor's first and last step do to the record. Each can be repeated."""

from collections.abc import Callable
from typing import Literal

from attrs import evolve

from lib.workflow.core import Asks, Outcome, RefusedError, State

from ..approval import check_approved
from ..due import EXEC_INIT, WAVE_NEXT, Block, due, step_id
from ..limits import MAX_GRANTS, MAX_LAPS
from ..phases import EXECUTING, IMPL_CODE
from ..rounds import Choice, abort
from ..schema.review import ItemStatus, Review, ReviewItem
from ..schema.run import Building, Round, Run, Verdict
from ..state.files import run_store
from ..state.reviews import review_store
from ..state.run_state import RunState
from .choices import asking

Way = Literal[Outcome.OK, Outcome.SKIP, Outcome.ITERATE, Outcome.FAIL]
FIRST = frozenset(step_id(row, Block.WORK) for row in EXECUTING)
"""The steps that a wave begins with."""


def begin(state: RunState, reconcile: bool) -> Literal[Outcome.OK, Outcome.SKIP, Outcome.ITERATE]:
    """Begins the first wave, or has a reviewer look first. Raises RefusedError for a plan that is not to be built."""
    check_approved(state)
    found = due(state)
    if found.step != EXEC_INIT:
        if state.run.finished or state.run.aborted or not _at_start(state):
            raise _out_of_order(state, EXEC_INIT)
    elif reconcile and not state.run.reconciling:
        _change(state, lambda run: evolve(run, reconciling=True))
        return Outcome.ITERATE
    elif found.reconcile:
        if reconcile:
            return Outcome.ITERATE
        raise _out_of_order(state, EXEC_INIT)
    else:
        _move(state, None)
    return Outcome.OK if RunState(state.state_dir).run.reviews_code else Outcome.SKIP


def advance(state: RunState, choice: Choice | None) -> tuple[Way, State] | Asks:
    """On to the next wave; after the last to the project's own checks, and to the end or back to the work.

    Raises RefusedError for a wave that has not passed its reviews.
    """
    run = state.run
    if run.finished or run.aborted:
        return Outcome.OK, {}
    check_approved(state)
    if due(state).step != WAVE_NEXT:
        if not _at_start(state):
            raise _out_of_order(state, WAVE_NEXT)
        return _lead(run), {}
    assert run.building is not None
    if run.after(run.building.wave):
        _refuse(choice)
        _move(state, run.building.wave)
        return _lead(RunState(state.state_dir).run), {}
    return _last(RunState(state.state_dir), _checked(state), choice)


def _last(state: RunState, run: Run, choice: Choice | None) -> tuple[Way, State] | Asks:
    """After the last wave, by what the project's checks came to."""
    assert run.building is not None
    failed, lap = run.failing, run.building.lap
    if not failed:
        _refuse(choice)
    elif lap < MAX_LAPS:
        _refuse(choice)
        _again(state, failed, run.building)
        return Outcome.FAIL, {}
    elif choice is None:
        return _question(failed, MAX_LAPS + MAX_GRANTS - lap)
    elif choice is Choice.ABORT:
        abort(state)
        return Outcome.OK, {}
    elif choice is Choice.GRANT:
        if lap >= MAX_LAPS + MAX_GRANTS:
            what = f"{MAX_GRANTS} rounds have been granted, which is all"
            raise RefusedError("no-round-left", WAVE_NEXT, what, "Accept the findings, or end the run.")
        _again(state, failed, run.building)
        return Outcome.FAIL, {}
    _change(state, lambda found: evolve(found, finished=True))
    return Outcome.OK, {}


def _question(failed: tuple[Verdict, ...], left: int) -> Asks:
    texts = {
        Choice.ACCEPT: "end here; the ledger keeps that they fail",
        Choice.GRANT: "mend and review once more",
        Choice.ABORT: "end this run as one that was broken off",
    }
    names = ", ".join(each.item for each in failed)
    return asking(f"After the last lap these checks still fail: {names}. How does it go on?", texts, left, {})


def _checked(state: RunState) -> Run:
    """The ledger with what the project's checks came to; they run once a lap."""
    run = state.run
    assert run.building is not None
    if run.checked:
        return run
    from ..carrying import checks_of
    from ..checks import run_checks  # runs processes

    phase, wave, lap = run.at(IMPL_CODE.phase)
    verdicts = tuple(run_checks(checks_of(state.plan), run.project_root))
    made = Round(phase=phase, wave=wave, lap=lap, iteration=1, verdicts=verdicts)
    _change(state, lambda found: found if found.checked else evolve(found, checks=(*found.checks, made)))
    return evolve(run, checks=(*run.checks, made))


def _again(state: RunState, failed: tuple[Verdict, ...], building: Building) -> None:
    """Opens the next lap: the failures are the findings that its first work repairs.

    The lap is recorded last: a process that dies before it is made good by the next that asks.
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
    review_store(state.state_dir, IMPL_CODE.phase).create(Review(phase=IMPL_CODE.phase, items=items))
    lap = evolve(building, lap=building.lap + 1)
    _change(state, lambda run: evolve(run, building=lap))


def _move(state: RunState, wave: str | None) -> None:
    """Goes on from a wave to the one after it; whoever comes second changes nothing."""

    def record(run: Run) -> Run:
        at = run.building.wave if run.building else None
        return evolve(run, building=run.after(wave)) if at == wave else run

    _change(state, record)


def _at_start(state: RunState) -> bool:
    """Whether a wave or a lap has just begun, so that the step before it can be asked again."""
    run, step = state.run, due(state).step
    first = step_id(EXECUTING[0 if run.reviews_code else 1], Block.WORK)
    return run.building is not None and step == first


def _lead(run: Run) -> Way:
    return Outcome.ITERATE if run.reviews_code else Outcome.SKIP


def _refuse(choice: Choice | None) -> None:
    if choice is not None:
        what = "the flag answers a question that nobody has asked"
        raise RefusedError("nothing-to-decide", WAVE_NEXT, what, "Run the same command without it.")


def _out_of_order(state: RunState, step: str) -> RefusedError:
    found = due(state)
    command = found.command(state.state_dir)
    fix = "Run the command that is due." if command else "There is nothing left to do in this run."
    return RefusedError("out-of-order", step, found.why, fix, command)


def _change(state: RunState, by: Callable[[Run], Run]) -> None:
    run_store(state.state_dir).change(lambda run: (by(run), None))
