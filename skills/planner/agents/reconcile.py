"""Script of the reviewer who finds which milestones are already done before the first wave."""

from lib.workflow.core import Outcome, StepContext, Workflow

from ..execution.approval import check_approved
from ..phases import PLAN_DESIGN, RECONCILE, PhaseScript
from ..state.run_state import state_of
from ..texts import sections
from .steps import PARAMS, Going, StateDir, linear


def reconcile() -> Workflow:
    """Return a workflow of four steps, from predictions to a state for every milestone."""

    def begin(context: StepContext, state_dir: StateDir) -> Going:
        check_approved(state_of(context))
        return Outcome.OK, {}

    facts = {"reconciled": lambda where: where.plan("reconciled")}
    steps = linear(PLAN_DESIGN, PhaseScript.DECOMPOSE, sections("reconcile"), begin, facts)
    does = "What of an approved plan is done already."
    return Workflow("exec-reconcile", *steps, module=RECONCILE, description=does, params=PARAMS)
