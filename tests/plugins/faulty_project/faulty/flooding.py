"""Workflow that prints more than clients show."""

from lib.workflow.core import Outcome, StepDef, Workflow

WORKFLOW = Workflow(
    "flooding",
    StepDef(id="look", title="Look", actions="word " * 2100, next={Outcome.OK: None}),
    module="faulty.flooding_run",
)
