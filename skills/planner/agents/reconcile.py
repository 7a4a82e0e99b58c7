"""What is done already of a plan: a reviewer's script beside the table of phases, run before the first wave."""

from lib.workflow.core import Outcome, StepContext, Workflow

from ..execution.approval import check_approved
from ..phases import IMPL_CODE, RECONCILE, Part
from ..state.run_state import state_of
from ..texts import sections
from .slots import Where
from .steps import PARAMS, Going, StateDir, linear


def reconcile() -> Workflow:
    """Four steps, from signs to a state for every milestone."""

    def begin(context: StepContext, state_dir: StateDir) -> Going:
        check_approved(state_of(context))
        return Outcome.OK, {}

    facts = {"milestones": _milestones, "reconciled": lambda where: where.plan("reconciled")}
    steps = linear(IMPL_CODE, Part.DECOMPOSE, sections("reconcile"), begin, facts)
    does = "What of an approved plan is done already."
    return Workflow("exec-reconcile", *steps, module=RECONCILE, description=does, params=PARAMS)


def _milestones(where: Where) -> str:
    return "\n".join(f"- {each.id}: {each.name}" for each in where.state.plan.milestones)
