"""Changes that a gate makes: close a round, pass a phase, record the user's decision. Each can be repeated.

The ledger is written first and the review after it, so the next process can finish what an interrupted one has left.
"""

from typing import TYPE_CHECKING

from attrs import evolve

from ..execution.approval import check_digest
from ..execution.snapshots import keep, keep_plan, kept_plan
from ..execution.waves import waves
from ..phases import EXECUTING, IMPL_CODE, PhaseSpec, max_rounds
from ..schema.choice import Choice
from ..schema.ids import EntityKind, next_id
from ..schema.phase import Phase
from ..schema.plan.decisions import Risk
from ..schema.review.document import ItemStatus, Review, ReviewItem
from ..schema.run import Grant, PassedGate, Round, Run, Verdict
from ..state.files import change_run, context_store, digest_of, plan_store, run_store
from ..state.frozen import check_context
from ..state.reviews import review_store, round_of
from ..state.run_state import RunState
from .difference import item as difference_item
from .gate import Decision, decide
from .hand_in import check_handed_in

if TYPE_CHECKING:
    from ..schema.plan.document import Plan


def decision(state: RunState, row: PhaseSpec) -> Decision:
    """Decide where the gate of a phase leads, from the state files."""
    run, review = state.run, state.review(row.phase)
    rounds = run.rounds_of(row.phase)
    return decide(
        review,
        passed=run.gate(row.phase) is not None,
        submitted=review is None or run.submitted(row.phase, review.iteration),
        before=rounds[-1].failed if rounds else frozenset(),
        most=max_rounds(run, row),
        policy=row.policy,
    )


def close(state: RunState, row: PhaseSpec) -> None:
    """End a round: its verdicts go into the ledger, and the review goes on to the next round.

    The next round has one more item: the difference of the next hand-in, which must break nothing that had passed.
    """
    closed = _closed(state.run, row, _begun(state, row))

    def count(found: Review) -> tuple[Review, None]:
        if found.iteration != closed.iteration:
            return found, None
        after = closed.iteration + 1
        return evolve(found, iteration=after, items=(*found.items, difference_item(after))), None

    change_run(state.state_dir, lambda run: _with_round(run, closed))
    review_store(state.state_dir, row.phase).change(count)


def _closed(run: Run, row: PhaseSpec, review: Review) -> Round:
    """Return the round of a review, as an entry of the ledger."""
    phase, wave, lap = run.at(row.phase)
    verdicts = tuple(_verdict(item, row, review.iteration) for item in review.items)
    return Round(phase=phase, wave=wave, lap=lap, iteration=review.iteration, verdicts=verdicts)


def _with_round(run: Run, closed: Round) -> Run:
    known = any((each.at, each.iteration) == (closed.at, closed.iteration) for each in run.rounds)
    return run if known else evolve(run, rounds=(*run.rounds, closed))


def _verdict(item: ReviewItem, row: PhaseSpec, iteration: int) -> Verdict:
    """Return the verdict on an item, as an entry of the ledger. A finding of the phase's own role names no owner."""
    owner = None if item.owner is row.role or item.judged != iteration else item.owner
    return Verdict(
        item=item.id,
        check=item.check,
        status=item.status,
        finding=item.finding,
        owner=owner,
        corrections=item.corrections,
    )


def let_pass(state: RunState, row: PhaseSpec) -> None:
    """Pass a phase. Keeps what later phases overwrite, records the gate, then removes the review.

    Findings that the user has accepted go into the ledger with their round, remarks with the gate.
    """
    from ..reports.brief import write_brief  # only a gate that passes prints the plan

    review, plan = state.review(row.phase), _plan(state)
    accepted = tuple(item.id for item in review.of(ItemStatus.FAIL)) if review else ()
    phase, wave, lap = state.run.at(row.phase)
    if state.run.gate(row.phase) is None:
        keep(state, row)
        if row not in EXECUTING:
            keep_plan(state.state_dir, plan)
            write_brief(state.state_dir, state.context, plan)  # accepted findings have become risks
    content = state.run.handed_in(row.phase, round_of(review)) if row in EXECUTING else None
    entry = PassedGate(phase=phase, wave=wave, lap=lap, plan_digest=digest_of(plan), digest=content)
    gate = evolve(entry, accepted=accepted, remarks=review.remarks if review else ())
    documented = (evolve(entry, phase=Phase.IMPL_DOCS),) if _is_documented(state, row) else ()

    def record(run: Run) -> Run:
        if run.gate(row.phase):
            return run
        closed = _with_round(run, _closed(run, row, review)) if review and accepted else run
        return evolve(closed, gates=(*run.gates, gate, *documented))

    change_run(state.state_dir, record)
    review_store(state.state_dir, row.phase).remove()


def _is_documented(state: RunState, row: PhaseSpec) -> bool:
    """Return True if the documents of a wave were reviewed with its plan, and a fix's changes with the code."""
    building = state.run.building
    return row is IMPL_CODE and building is not None and building.applied and not building.documentation


def approve(state: RunState, row: PhaseSpec) -> None:
    """Record once that the plan is approved as its last gate passed it, and write plan.md.

    Raises RefusedError if the plan has changed since.
    """
    from ..reports.rendering import render

    passed = run_store(state.state_dir).load().gate(row.phase)
    assert passed is not None
    digest = passed.plan_digest

    def freeze(plan: "Plan") -> "tuple[Plan, None]":
        """Record the approval while holding the plan's lock, so that the plan cannot change in between."""
        check_digest(state, digest_of(plan), digest)
        built = waves(plan)
        change_run(state.state_dir, lambda run: run if run.approval else evolve(run, approval=digest, waves=built))
        return plan, None

    plan_store(state.state_dir).change(freeze)
    render(state.state_dir)


def check_reviewed(state: RunState, row: PhaseSpec, choice: Choice | None) -> None:
    """Raise RefusedError if the work to pass differs from the hand-in of the round.

    An interrupted process may already have added the risks of the user's acceptance to the plan.
    """
    check_context(state.state_dir, context_store(state.state_dir).load(), state.run.context_digest)
    review = _begun(state, row)
    if choice is Choice.ACCEPT and row not in EXECUTING:
        plan = kept_plan(state.state_dir, state.run.handed_in(row.phase, review.iteration))
        if plan is not None and with_findings(plan, row, review.of(ItemStatus.FAIL)) == _plan(state):
            return
    check_handed_in(state, row, review.iteration, again=choice is None)


def accept(state: RunState, row: PhaseSpec) -> None:
    """Keep the findings in the plan, as risks that the user has accepted; once it is approved, only in the ledger."""
    if row in EXECUTING:
        return
    failed = _begun(state, row).of(ItemStatus.FAIL)
    plan_store(state.state_dir).change(lambda plan: (with_findings(plan, row, failed), None))


def with_findings(plan: "Plan", row: PhaseSpec, failed: tuple[ReviewItem, ...]) -> "Plan":
    """Return the plan with each failed item as a risk, without duplicates."""
    risks = plan.planning_context.risks
    for item in failed:
        text = f"Review finding {item.id} of {row.phase} ({item.scope}): {item.finding}"
        if text not in [risk.risk for risk in risks]:
            number = next_id(EntityKind.RISK, [risk.id for risk in risks])
            risks = (*risks, Risk(id=number, risk=text, mitigation="accepted by the user as it is"))
    return evolve(plan, planning_context=evolve(plan.planning_context, risks=risks))


def grant(state: RunState, row: PhaseSpec) -> None:
    """Add a round to the allowed ones."""
    phase, wave, lap = state.run.at(row.phase)
    more = Grant(phase=phase, wave=wave, lap=lap, iteration=_begun(state, row).iteration + 1)
    change_run(state.state_dir, lambda run: run if more in run.grants else evolve(run, grants=(*run.grants, more)))
    close(state, row)


def abort(state: RunState) -> None:
    """End the run."""
    change_run(state.state_dir, lambda run: evolve(run, aborted=True))


def _plan(state: RunState) -> "Plan":
    return plan_store(state.state_dir).load()


def _begun(state: RunState, row: PhaseSpec) -> Review:
    return review_store(state.state_dir, row.phase).load()
