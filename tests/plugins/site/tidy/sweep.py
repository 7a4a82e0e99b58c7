"""A foreign workflow."""

from lib.workflow.core import Outcome, StepDef, Workflow

WORKFLOW = Workflow(
    "sweep",
    StepDef(id="sweep", title="Sweep", actions="Sweep the floor.", next={Outcome.OK: "check"}),
    StepDef(id="check", title="Check", actions="Look below the table.", next={Outcome.OK: None}),
    module="tidy.run",
    description="Sweep, then look again.",
)
