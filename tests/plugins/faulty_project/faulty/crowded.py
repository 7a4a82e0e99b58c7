"""Workflow that accepts a list of agents that is longer than clients show."""

from lib.workflow.core import Outcome, Roster, Script, StepDef, Task, Workflow
from lib.workflow.types import AgentRole

AGENTS = Roster(
    agent=AgentRole.EXPLORE,
    script=Script(module="faulty.sound_run"),
    most=20,
    characters=500,
    sample=(Task("api", "Map the API."),),
)
WORKFLOW = Workflow(
    "crowded",
    StepDef(id="list", title="List", actions="List agents.", next={Outcome.OK: "launch"}),
    StepDef(id="launch", title="Launch", actions="Launch them.", handler=AGENTS, next={Outcome.OK: None}),
    module="faulty.crowded_run",
)
