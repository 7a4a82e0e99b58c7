"""What a gate does to the state: closes a round, passes a phase, records what the user decided. Each can be repeated.

The ledger is written first and the review after it, so that a process which dies between the two is made good by the
next that asks.
"""

from enum import StrEnum
from typing import TYPE_CHECKING

from attrs import evolve

from lib.workflow.types import GateStatus

from ..execution.snapshots import keep
from ..execution.waves import waves
from ..phases import EXECUTING, Row
from ..schema.review import ItemStatus, Review
from ..schema.run import Grant, PassedGate, Round, Run, Verdict
from ..state.files import change_run, digest_of, plan_store, run_store
from ..state.reviews import review_store
from ..state.run_state import RunState
from .gate import Decision, decide

if TYPE_CHECKING:
    from ..schema.plan import Plan


class Choice(StrEnum):
    """What a user can decide when the last round has failed."""

    ACCEPT = "accept"
    GRANT = "grant"
    ABORT = "abort"

    @classmethod
    def of(cls, accept: bool, grant: bool, abort: bool) -> "Choice | None":
        """What the flags say; of several the most cautious holds."""
        return cls.ABORT if abort else cls.GRANT if grant else cls.ACCEPT if accept else None


def decision(state: RunState, row: Row, claimed: GateStatus) -> Decision:
    """What the gate of a phase decides as things stand."""
    run, review = state.run, state.review(row.phase)
    rounds = run.rounds_of(row.phase)
    return decide(
        review,
        claimed,
        passed=run.gate(row.phase) is not None,
        submitted=review is None or run.submitted(row.phase, review.iteration),
        before=rounds[-1].failed if rounds else frozenset(),
        grants=run.granted(row.phase),
        policy=row.policy,
    )


def close(state: RunState, row: Row) -> None:
    """Ends a failed round: its verdicts go into the ledger, and the review goes on to the next."""
    review = _begun(state, row)
    verdicts = tuple(Verdict(item=item.id, status=item.status, finding=item.finding) for item in review.items)
    phase, wave, lap = state.run.at(row.phase)
    closed = Round(phase=phase, wave=wave, lap=lap, iteration=review.iteration, verdicts=verdicts)

    def record(run: Run) -> Run:
        known = any(each.iteration == closed.iteration for each in run.rounds_of(row.phase))
        return run if known else evolve(run, rounds=(*run.rounds, closed))

    def count(found: Review) -> tuple[Review, None]:
        return (evolve(found, iteration=closed.iteration + 1) if found.iteration == closed.iteration else found), None

    change_run(state.state_dir, record)
    review_store(state.state_dir, row.phase).change(count)


def let_pass(state: RunState, row: Row) -> None:
    """Passes a phase: recorded first, then the review is taken away. What later phases write over is kept before."""
    review, plan = state.review(row.phase), _plan(state)
    accepted = tuple(item.id for item in review.of(ItemStatus.FAIL)) if review else ()
    phase, wave, lap = state.run.at(row.phase)
    if state.run.gate(row.phase) is None:
        keep(state, row)
    gate = PassedGate(phase=phase, wave=wave, lap=lap, plan_digest=digest_of(plan), accepted=accepted)
    change_run(state.state_dir, lambda run: run if run.gate(row.phase) else evolve(run, gates=(*run.gates, gate)))
    review_store(state.state_dir, row.phase).remove()


def approve(state: RunState, row: Row) -> None:
    """Records once that the plan is approved as its last gate passed it, and writes plan.md.

    Raises RefusedError where the plan is another by now.
    """
    from ..execution.approval import check_digest
    from ..reports.rendering import render

    passed = run_store(state.state_dir).load().gate(row.phase)
    assert passed is not None
    plan = _plan(state)
    check_digest(state, digest_of(plan), passed.plan_digest)
    digest, built = passed.plan_digest, waves(plan)
    change_run(state.state_dir, lambda run: run if run.approval else evolve(run, approval=digest, waves=built))
    render(state.state_dir)


def accept(state: RunState, row: Row) -> None:
    """Keeps the findings: in the plan, as risks that the user has accepted; in the ledger, once it is approved."""
    if row in EXECUTING:
        close(state, row)
        return
    from ..schema.decisions import Risk
    from ..schema.ids import Kind, next_id

    failed = _begun(state, row).of(ItemStatus.FAIL)

    def record(plan: "Plan") -> "tuple[Plan, None]":
        risks = plan.planning_context.risks
        for item in failed:
            text = f"Review finding {item.id} of {row.phase} ({item.scope}): {item.finding}"
            if text not in [risk.risk for risk in risks]:
                number = next_id(Kind.RISK, [risk.id for risk in risks])
                risks = (*risks, Risk(id=number, risk=text, mitigation="accepted by the user as it is"))
        return evolve(plan, planning_context=evolve(plan.planning_context, risks=risks)), None

    plan_store(state.state_dir).change(record)


def grant(state: RunState, row: Row) -> None:
    """Adds a round to those that there are."""
    phase, wave, lap = state.run.at(row.phase)
    more = Grant(phase=phase, wave=wave, lap=lap, iteration=_begun(state, row).iteration + 1)
    change_run(state.state_dir, lambda run: run if more in run.grants else evolve(run, grants=(*run.grants, more)))
    close(state, row)


def abort(state: RunState) -> None:
    """Ends the run."""
    change_run(state.state_dir, lambda run: evolve(run, aborted=True))


def _plan(state: RunState) -> "Plan":
    return plan_store(state.state_dir).load()


def _begun(state: RunState, row: Row) -> Review:
    return review_store(state.state_dir, row.phase).load()
