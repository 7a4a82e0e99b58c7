"""A step that leads nowhere, which is refused before anything is tried."""

from lib.workflow.core import StepDef, Workflow

WORKFLOW = Workflow(
    "unfinished",
    StepDef(id="look", title="Look", actions="Look.", next={}),
    module="faulty.unfinished_run",
)
