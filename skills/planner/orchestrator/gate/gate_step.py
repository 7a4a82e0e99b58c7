"""The gate of a phase as a step."""

from typing import Annotated, TypeAlias

from lib.workflow.ast.step import GateResult
from lib.workflow.core import Arg, AskUser, Outcome, State, StepContext, StepDef
from lib.workflow.types import AgentRole, GateStatus

from ...agents.slots import SlotContext
from ...limits import MAX_GRANTS
from ...next_step import WAVE_NEXT, Block, step_id
from ...phases import PhaseSpec
from ...schema.choice import Choice
from ...state.run_state import state_of
from ..phase_steps import MAX_VISITS, phase_step
from .gate_stand import Lead, Stand

Status: TypeAlias = Annotated[GateStatus, Arg(description="the combined replies of the verifiers, for comparison")]
Accept: TypeAlias = Annotated[bool, Arg(description="the user accepts the findings, which are kept; the run goes on")]
Grant: TypeAlias = Annotated[bool, Arg(description=f"the user grants one more round, at most {MAX_GRANTS} times")]
Abort: TypeAlias = Annotated[
    bool, Arg(description="the user ends the run; of several answers the most cautious counts")
]


def route(row: PhaseSpec, following: str | None, visits: int = MAX_VISITS, otherwise: str | None = None) -> StepDef:
    """Return the gate of a phase.

    OK leads to the next phase, FAIL to the work again, ITERATE to the verification again. SKIP leads to the step that
    follows in a light run, or to the end if the user has ended the run.

    Args:
        row: The phase.
        following: The step after the gate in a full run; None for the end.
        visits: Most visits of the step.
        otherwise: The step to which SKIP leads; None for the end.
    """

    def gate(
        context: StepContext,
        qr_status: Status | None = None,
        accept_findings: Accept = False,
        grant_round: Grant = False,
        abort: Abort = False,
    ) -> tuple[Lead, State] | AskUser:
        from .gate_flow import passing  # only a gate that is asked pays for this import

        choice = Choice.of(accept_findings, grant_round, abort)
        save = context.workflow_params.get("save") is True
        return passing(state_of(context), row, qr_status, choice, save=save)

    next_ = {
        Outcome.OK: following,
        Outcome.FAIL: step_id(row, Block.WORK),
        Outcome.ITERATE: step_id(row, Block.VERIFY),
        Outcome.SKIP: otherwise,
    }

    def result(context: StepContext) -> GateResult:
        from .gate_report import decided

        found = decided(SlotContext(row, AgentRole.ORCHESTRATOR, context))
        passed = found.stand in (Stand.PASSED, Stand.APPROVED)
        return GateResult(GateStatus.PASS if passed else GateStatus.FAIL, found.said)

    forwards = {Outcome.FAIL: result, Outcome.ITERATE: result}
    if following not in (None, WAVE_NEXT):
        forwards[Outcome.OK] = result
    return phase_step(row, Block.ROUTE, gate, next_, visits, forwards)
