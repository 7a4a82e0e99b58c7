"""A workflow with a name that is taken."""

from lib.workflow.core import Outcome, StepDef, Workflow

WORKFLOW = Workflow(
    "problem-analysis",
    StepDef(id="problem-analysis", title="Sweep", actions="Sweep the floor.", next={Outcome.OK: "check"}),
    StepDef(id="check", title="Check", actions="Look below the table.", next={Outcome.OK: None}),
    module="rusty.run",
    description="Sweep, then look again.",
)
