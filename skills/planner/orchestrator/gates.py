"""The gate of a phase as a step: it decides by what is on record, changes the record, and says where that leads."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.core import Arg, Asks, Outcome, RefusedError, State, StepContext, StepDef
from lib.workflow.types import GateStatus

from ..due import Block, due, step_id
from ..gate import MAX_GRANTS, Way
from ..phases import Row
from ..rounds import Choice, approve, close, decision, let_pass
from ..state.run_state import RunState, state_of
from .choices import carry_out, on_record, question, too_early
from .phase import phase_step
from .saving import save_plan

Status: TypeAlias = Annotated[GateStatus, Arg(description="what the verifying agents said together")]
Accept: TypeAlias = Annotated[bool, Arg(description="the user accepts the findings: they go into the plan as risks")]
Grant: TypeAlias = Annotated[bool, Arg(description=f"the user grants one more round, at most {MAX_GRANTS} times")]
Abort: TypeAlias = Annotated[bool, Arg(description="the user ends the run; of several answers the most cautious holds")]
Save: TypeAlias = Annotated[bool, Arg(description="write the approved plan into the project's docs/plans, too")]
Lead: TypeAlias = Literal[Outcome.OK, Outcome.FAIL, Outcome.ITERATE, Outcome.SKIP]

LEADS: Final[Mapping[Way, Lead]] = MappingProxyType(
    {Way.PASS: Outcome.OK, Way.REPAIR: Outcome.FAIL, Way.VERIFY: Outcome.ITERATE}
)


def route(row: Row, following: str | None) -> StepDef:
    """OK: the next phase. FAIL: the work again. ITERATE: the verification again. SKIP: the user has ended the run."""

    def gate(
        context: StepContext,
        qr_status: Status,
        accept_findings: Accept = False,
        grant_round: Grant = False,
        abort: Abort = False,
        save: Save = False,
    ) -> tuple[Lead, State] | Asks:
        state = state_of(context)
        choice = Choice.ABORT if abort else Choice.GRANT if grant_round else Choice.ACCEPT if accept_findings else None
        if state.run.aborted:
            return Outcome.SKIP, {}
        _in_order(state, row)
        found = decision(state, row, qr_status)
        if found.way is Way.ASK and choice is None:
            return question(state, row, qr_status)
        if found.way is not Way.ASK and choice is not None and not on_record(state, row, choice):
            raise too_early(row, choice)
        if found.closes:
            close(state, row)
        if found.way is Way.PASS:
            let_pass(state, row)
        lead = carry_out(state, row, choice) if found.way is Way.ASK and choice else LEADS[found.way]
        if lead is Outcome.OK and following is None:
            approve(state, row)
            if save:
                save_plan(state)
        return lead, {}

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
