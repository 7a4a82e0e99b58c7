"""The gate of a phase as a step: it decides by what is on record, changes the record, and says where that leads."""

from typing import Annotated, Literal, TypeAlias

from lib.workflow.core import Arg, Asks, Outcome, State, StepContext, StepDef
from lib.workflow.types import GateStatus

from ..limits import MAX_GRANTS
from ..next_step import Block, step_id
from ..phases import Row
from ..state.run_state import state_of
from .phase_steps import MAX_VISITS, phase_step

Status: TypeAlias = Annotated[GateStatus, Arg(description="what the verifying agents said together")]
Accept: TypeAlias = Annotated[bool, Arg(description="the user accepts the findings, which are kept; the run goes on")]
Grant: TypeAlias = Annotated[bool, Arg(description=f"the user grants one more round, at most {MAX_GRANTS} times")]
Abort: TypeAlias = Annotated[bool, Arg(description="the user ends the run; of several answers the most cautious holds")]
Lead: TypeAlias = Literal[Outcome.OK, Outcome.FAIL, Outcome.ITERATE, Outcome.SKIP]


def route(row: Row, following: str | None, visits: int = MAX_VISITS) -> StepDef:
    """OK: the next phase. FAIL: the work again. ITERATE: the verification again. SKIP: the user has ended the run."""

    def gate(
        context: StepContext,
        qr_status: Status,
        accept_findings: Accept = False,
        grant_round: Grant = False,
        abort: Abort = False,
    ) -> tuple[Lead, State] | Asks:
        from ..review.rounds import Choice  # only a gate that is asked pays for what it does
        from .gate_flow import passing

        choice = Choice.of(accept_findings, grant_round, abort)
        save = context.workflow_params.get("save") is True
        return passing(state_of(context), row, qr_status, choice, last=following is None, save=save)

    next_ = {
        Outcome.OK: following,
        Outcome.FAIL: step_id(row, Block.WORK),
        Outcome.ITERATE: step_id(row, Block.VERIFY),
        Outcome.SKIP: None,
    }
    return phase_step(row, Block.ROUTE, gate, next_, visits)
