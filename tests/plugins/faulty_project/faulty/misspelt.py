"""Workflow that fills a slot with an element that its tags do not name."""

from lib.workflow.ast.nodes import Element
from lib.workflow.core import Outcome, StepDef, Workflow

WORKFLOW = Workflow(
    "misspelt",
    StepDef(
        id="look",
        title="Look",
        actions=("Look at this:", "{{finding}}"),
        slots={"finding": Element("findng", {}, "here")},
        next={Outcome.OK: None},
    ),
    module="faulty.misspelt_run",
    tags=("finding",),
)
