"""A step that leads nowhere, which is refused before any trial."""

from lib.workflow.core import StepDef, Workflow

WORKFLOW = Workflow(
    "unfinished",
    StepDef(id="look", title="Look", actions="Look.", next={}),
    module="faulty.unfinished_run",
)
