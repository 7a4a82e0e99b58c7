"""The gate of a phase as a step: it decides by what is on record, changes the record, and says where that leads."""

from typing import Annotated, Literal, TypeAlias

from lib.workflow.core import Arg, Asks, Outcome, State, StepContext, StepDef
from lib.workflow.types import GateStatus

from ..due import Block, step_id
from ..limits import MAX_GRANTS
from ..phases import Row
from ..state.run_state import state_of
from .phase import phase_step

Status: TypeAlias = Annotated[GateStatus, Arg(description="what the verifying agents said together")]
Accept: TypeAlias = Annotated[bool, Arg(description="the user accepts the findings: they go into the plan as risks")]
Grant: TypeAlias = Annotated[bool, Arg(description=f"the user grants one more round, at most {MAX_GRANTS} times")]
Abort: TypeAlias = Annotated[bool, Arg(description="the user ends the run; of several answers the most cautious holds")]
Save: TypeAlias = Annotated[bool, Arg(description="write the approved plan into the project's docs/plans, too")]
Lead: TypeAlias = Literal[Outcome.OK, Outcome.FAIL, Outcome.ITERATE, Outcome.SKIP]


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
        from ..rounds import Choice  # only a gate that is asked pays for what it does
        from .passing import passing

        choice = Choice.ABORT if abort else Choice.GRANT if grant_round else Choice.ACCEPT if accept_findings else None
        return passing(state_of(context), row, qr_status, choice, last=following is None, save=save)

    next_ = {
        Outcome.OK: following,
        Outcome.FAIL: step_id(row, Block.WORK),
        Outcome.ITERATE: step_id(row, Block.VERIFY),
        Outcome.SKIP: None,
    }
    return phase_step(row, Block.ROUTE, gate, next_)
