"""The workflow of the agent that checks one part."""

from lib.workflow.core import Outcome, StepDef, Workflow

WORKFLOW = Workflow(
    "check-claims-part",
    StepDef(
        id="check",
        title="Check the claims of one part",
        actions="Open the source of each claim of your task. Reply with one line for each claim: its place, and HOLDS "
        "or REFUTED with the reason.",
        next={Outcome.OK: None},
    ),
    module="claim_skills.check_claims.checker",
    description="Check the claims of one part.",
)
