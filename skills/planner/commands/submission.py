"""Hand-in of a phase's work, and the author's cases against findings."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from attrs import evolve

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Element
from lib.workflow.errors import RefusedError
from lib.workflow.types import AgentRole
from lib.workflow.util.suggest import expected

from ..execution.approval import check_approved
from ..phases import EXECUTING, PLAN_DESIGN, PhaseSpec, row_of
from ..reports.brief import write_brief
from ..review.difference import handed_in_before, write_difference
from ..review.findings import phase_at_work
from ..review.gate import blocking
from ..review.hand_in import changes_since, documents_only, keep_content
from ..review.rounds import close
from ..schema.phase import PLANNING, Phase
from ..schema.plan.document import Plan
from ..schema.review.document import Review, ReviewItem
from ..schema.review.item_status import ItemStatus
from ..schema.run import Contest, Run, Submission
from ..state.files import plan_store, run_store
from ..state.reviews import load_qr_state, round_of
from ..state.run_state import RunState
from .plan.checking import validate
from .plan.plan_size import check_size

NO_CASES: Final[Mapping[str, str]] = MappingProxyType({})


class HandIn(NamedTuple):
    """A hand-in as it was requested."""

    row: PhaseSpec
    """The phase whose round reviews it."""
    owner: AgentRole | None
    """The role of an earlier phase that fixes findings of its own; None for the role of the phase."""
    milestone: str | None
    against: Mapping[str, str]
    """The cases against findings, by item."""


class Recorded(NamedTuple):
    """The round that a hand-in is for."""

    iteration: int
    opens: bool
    """True if the hand-in ends the round before, because that round has verdicts and none of them is a FAIL."""


def hand_in(state_dir: str, phase: Phase, milestone: str | None = None, against: Mapping[str, str] = NO_CASES) -> Node:
    """Hand the work of a phase in for review, and return the answer. Raises RefusedError.

    Args:
        state_dir: The run directory.
        phase: The phase whose author hands it in; a later phase may be at work.
        milestone: The milestone that was built, if the wave has several.
        against: The cases against findings, by item.
    """
    state = RunState(state_dir)
    row = phase_at_work(state, row_of(phase))
    if row is None:
        raise RefusedError("phase-passed", phase, "its review was passed", "continue with the next phase")
    owner = None if row.phase is phase else row_of(phase).role
    _check_turn(state, row, owner)
    _check_milestone(state.run, milestone)
    asked = HandIn(row, owner, milestone, against)
    recorded = _hand_in_files(state_dir, asked) if row in EXECUTING else _hand_in_plan(state_dir, asked, phase)
    if recorded.opens:
        close(RunState(state_dir), row)
        write_difference(RunState(state_dir), row, recorded.iteration)
    _, wave, _ = state.run.at(row.phase)
    attributes = {"phase": row.phase, "wave": wave, "milestone": milestone, "round": str(recorded.iteration)}
    return Element("submitted", {**attributes, "owner": owner})


def _hand_in_plan(state_dir: str, asked: HandIn, phase: Phase) -> Recorded:
    """Record a hand-in of a plan while holding the plan's lock, so that the snapshot is what was validated."""

    def record(plan: Plan) -> tuple[Plan, Recorded]:
        validate(plan, phase)
        if asked.row is PLAN_DESIGN:
            check_size(plan, round_of(load_qr_state(state_dir, phase)) - 1)
        write_brief(state_dir, RunState(state_dir).context, plan)
        return plan, run_store(state_dir).change(lambda run: _recorded(state_dir, run, asked))

    return plan_store(state_dir).change(record)


def _hand_in_files(state_dir: str, asked: HandIn) -> Recorded:
    check_approved(RunState(state_dir))
    return run_store(state_dir).change(lambda run: _recorded(state_dir, run, asked))


def _recorded(state_dir: str, run: Run, asked: HandIn) -> tuple[Run, Recorded]:
    """Return the ledger with the hand-in, and its round. The snapshot is written first."""
    state, row = RunState(state_dir), asked.row
    review = load_qr_state(state_dir, row.phase)
    iteration = round_of(review)
    complete = run.submitted(row.phase, iteration)
    before = run.handed_in(row.phase, iteration) if complete else handed_in_before(run, row, iteration)
    changed = changes_since(state, row, before)
    opens = bool(complete and changed and review and _is_judged(review))
    contested = _contested(run, review, asked, iteration)
    if not complete and before is not None and not changed:
        _check_contested(review, asked, iteration)
    digest = before if before is not None and not changed else keep_content(state, row)
    recorded = Recorded(iteration + opens, opens)
    if not opens:
        write_difference(state, row, iteration)
    if row not in EXECUTING:
        run = evolve(run, documents_only=documents_only(state.plan))
    if not complete or changed:
        made = _submissions(run, asked, recorded.iteration, digest, state.is_apart)
        run = evolve(run, submissions=(*run.submissions, *(each for each in made if each not in run.submissions)))
    return evolve(run, contests=(*run.contests, *contested)), recorded


def _submissions(run: Run, asked: HandIn, iteration: int, digest: str, apart: bool) -> tuple[Submission, ...]:

    phase, wave, lap = run.at(asked.row.phase)
    whole = asked.owner is not None or asked.milestone is not None
    names = (asked.milestone,) if whole else run.awaited(phase, iteration) or (None,)
    one = Submission(
        phase=phase, wave=wave, lap=lap, iteration=iteration, owner=asked.owner, digest=digest, apart=apart
    )
    return tuple(evolve(one, milestone=name) for name in names)


def _is_judged(review: Review) -> bool:
    """Return True if the round has verdicts. Raises RefusedError if one of them is a FAIL: the gate comes first."""
    judged = [item for item in review.items if item.judged == review.iteration]
    failed = [item.id for item in judged if item.status is ItemStatus.FAIL]
    if failed:
        what = f"round {review.iteration} is not over, and has failed items: {', '.join(failed)}"
        raise RefusedError("round-open", review.phase, what, "let the gate end the round, then hand it in")
    return bool(judged)


def _to_fix(review: Review | None, asked: HandIn) -> tuple[ReviewItem, ...]:
    """Return the failed items that the author must fix."""
    role = asked.row.role
    found = blocking(review, asked.row.policy) if review else ()
    return tuple(item for item in found if (item.owner or role) is (asked.owner or role))


def _check_contested(review: Review | None, asked: HandIn, iteration: int) -> None:
    """Raise RefusedError for a fix that changes nothing, unless each finding is contested."""
    left = [item.id for item in _to_fix(review, asked) if item.id not in asked.against]
    if left:
        what = f"nothing has changed since the last hand-in, and these items have failed: {', '.join(left)}"
        fix = "fix the findings; or contest a wrong finding with --contest ITEM --case 'what shows it'"
        raise RefusedError("nothing-changed", asked.row.phase, what, fix)


def _contested(run: Run, review: Review | None, asked: HandIn, iteration: int) -> tuple[Contest, ...]:
    """Return the new cases against findings. Raises RefusedError for an item that cannot be contested."""
    phase, wave, lap = run.at(asked.row.phase)
    known = [item.id for item in _to_fix(review, asked) if item.judged != iteration]
    made = []
    for item, case in asked.against.items():
        one = Contest(phase=phase, wave=wave, lap=lap, iteration=iteration, item=item, case=case)
        if one in run.contests:
            continue
        if item not in known:
            what = "it is not a failed item of the last round that you have to fix"
            raise RefusedError("unknown-id", item, what, expected(item, known))
        if any((each.at, each.item) == (one.at, item) for each in run.contests):
            fix = "fix the finding; if the user's request says otherwise, ask the user"
            raise RefusedError("contested", item, "it was contested before, and has failed again", fix)
        made.append(one)
    return tuple(made)


def _order(run: Run, phase: Phase) -> tuple[Phase, ...]:
    return run.planning if phase in PLANNING else run.wave_phases


def _check_turn(state: RunState, row: PhaseSpec, owner: AgentRole | None) -> None:
    """Raise RefusedError for work before its turn, which would later count as done."""
    run, phase = state.run, row.phase
    order = _order(run, phase)
    if phase not in PLANNING and run.building is None:
        raise RefusedError("out-of-order", phase, "no wave has started", "start with the executor's first step")
    if phase not in order:
        what = f"this run goes through {', '.join(order)}"
        raise RefusedError("out-of-order", phase, what, "continue with the current phase")
    for earlier in order[: order.index(phase)]:
        if run.gate(earlier) is None:
            what = f"{earlier}, which comes before it, has not passed its review"
            raise RefusedError("out-of-order", phase, what, "hand it in after that")
    awaited = run.awaited_owners(phase, state.round(phase))
    if awaited and owner is None:
        what = f"the {awaited[0]} has findings of its own to fix first"
        raise RefusedError("out-of-order", phase, what, "hand it in when that is done")


def _check_milestone(run: Run, milestone: str | None) -> None:
    building = run.building
    built = () if building is None else building.milestones if run.is_light else building.code
    if milestone is not None and milestone not in built:
        raise RefusedError("unknown-id", milestone, "it is not built in this wave", expected(milestone, built))
