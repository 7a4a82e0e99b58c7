"""Workflow that hands a step to an agent whose script is missing."""

from lib.workflow.core import Dispatch, Outcome, Script, StepDef, Workflow
from lib.workflow.types import AgentRole

WORKFLOW = Workflow(
    "misdirected",
    StepDef(
        id="look",
        title="Look",
        actions="Let an agent look.",
        handler=Dispatch(agent=AgentRole.EXPLORE, script=Script(module="faulty.nowhere")),
        next={Outcome.OK: "end", Outcome.FAIL: "end"},
    ),
    StepDef(id="end", title="End", actions="End.", next={Outcome.OK: None}),
    module="faulty.misdirected_run",
)
