"""The gate of a phase as a step: it decides by what is on record, changes the record, and says where that leads."""

from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.core import Arg, Asks, Outcome, RefusedError, State, StepContext, StepDef
from lib.workflow.types import GateStatus, Value

from ..due import Block, due, step_id
from ..gate import MAX_GRANTS, Decision, Way
from ..phases import Row
from ..rounds import Choice, abort, accept, close, decision, grant, let_pass
from ..state.run_state import RunState, state_of
from .phase import phase_step

Status: TypeAlias = Annotated[GateStatus, Arg(description="what the verifying agents said together")]
Accept: TypeAlias = Annotated[bool, Arg(description="the user accepts the findings: they go into the plan as risks")]
Grant: TypeAlias = Annotated[bool, Arg(description=f"the user grants one more round, at most {MAX_GRANTS} times")]
Abort: TypeAlias = Annotated[bool, Arg(description="the user ends the run; of several answers the most cautious holds")]
Lead: TypeAlias = Literal[Outcome.OK, Outcome.FAIL, Outcome.ITERATE, Outcome.SKIP]

LEADS: Final[dict[Way, Lead]] = {Way.PASS: Outcome.OK, Way.REPAIR: Outcome.FAIL, Way.VERIFY: Outcome.ITERATE}
FLAGS: Final = {Choice.ACCEPT: "accept_findings", Choice.GRANT: "grant_round", Choice.ABORT: "abort"}


def route(row: Row, following: str | None) -> StepDef:
    """OK: the next phase. FAIL: the work again. ITERATE: the verification again. SKIP: the user has ended the run."""

    def gate(
        context: StepContext,
        qr_status: Status,
        accept_findings: Accept = False,
        grant_round: Grant = False,
        abort: Abort = False,
    ) -> tuple[Lead, State] | Asks:
        state = state_of(context)
        chosen = Choice.ABORT if abort else Choice.GRANT if grant_round else Choice.ACCEPT if accept_findings else None
        if state.run.aborted:
            return Outcome.SKIP, {}
        _in_order(state, row)
        found = decision(state, row, qr_status)
        if found.way is Way.ASK:
            return _asked(state, row, qr_status, chosen, last=following is None)
        if chosen is not None and not _was_made(state, row, chosen):
            raise _too_early(row, chosen)
        return _led(state, row, found, last=following is None)

    next_ = {
        Outcome.OK: following,
        Outcome.FAIL: step_id(row, Block.WORK),
        Outcome.ITERATE: step_id(row, Block.VERIFY),
        Outcome.SKIP: None,
    }
    return phase_step(row, Block.ROUTE, gate, next_)


def _in_order(state: RunState, row: Row) -> None:
    """A gate can be asked while its review is there, and again when it was passed; never for another phase."""
    if state.run.gate(row.phase) is None and state.review(row.phase) is None:
        found = due(state)
        what = f"its review has not begun, so nothing can pass; {found.why}"
        fix = "Run the command that is due."
        raise RefusedError("no-review", step_id(row, Block.ROUTE), what, fix, found.command(state.state_dir))


def _led(state: RunState, row: Row, found: Decision, last: bool) -> tuple[Lead, State]:
    if found.way is Way.PASS:
        let_pass(state, row, last)
    elif found.closes:
        close(state, row)
    return LEADS[found.way], {}


def _asked(
    state: RunState, row: Row, status: GateStatus, chosen: Choice | None, last: bool
) -> tuple[Lead, State] | Asks:
    """What the user's answer leads to; the question where there is none yet."""
    left = MAX_GRANTS - state.run.granted(row.phase)
    if chosen is Choice.ABORT:
        abort(state)
        return Outcome.SKIP, {}
    if chosen is Choice.ACCEPT:
        accept(state, row)
        let_pass(state, row, last)
        return Outcome.OK, {}
    if chosen is Choice.GRANT:
        if not left:
            what = f"{MAX_GRANTS} rounds have been granted, which is all"
            raise RefusedError("no-round-left", row.phase, what, "Accept the findings, or end the run.")
        grant(state, row)
        return Outcome.FAIL, {}
    from lib.workflow.ast.relay import Option, Question  # only a gate that asks pays for it

    texts = {
        Choice.ACCEPT: "accept the findings and go on; they are kept in the plan as risks",
        Choice.GRANT: f"one more round of repair and review; {left} can be granted",
        Choice.ABORT: "end this run",
    }
    offered = [choice for choice in Choice if left or choice is not Choice.GRANT]
    question = Question(
        header="Gate",
        text=f"The last round of {row.phase} has failed. How does it go on?",
        options=tuple(Option(label=choice, description=texts[choice]) for choice in offered),
    )
    answers: list[dict[str, Value]] = [{"qr_status": status, FLAGS[choice]: True} for choice in offered]
    return Asks(question, *answers)


def _was_made(state: RunState, row: Row, chosen: Choice) -> bool:
    """Whether the choice is on record: the same command again is no new one."""
    gate = state.run.gate(row.phase)
    return bool(gate and gate.accepted) if chosen is Choice.ACCEPT else bool(state.run.granted(row.phase))


def _too_early(row: Row, chosen: Choice) -> RefusedError:
    what = f"--{FLAGS[chosen].replace('_', '-')} is for a gate whose last round has failed; this one has rounds left"
    return RefusedError("nothing-to-decide", row.phase, what, "Run the same command without it.")
