"""A list of agents, requested in one mode, whose commands carry a state directory."""

from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.core import Arg, Outcome, Roster, Script, StepContext, StepDef, Task, Workflow
from lib.workflow.types import AgentRole, Tier

StateDir: TypeAlias = Annotated[str, Arg(description="where the run keeps its files", path=True)]
Mode: TypeAlias = Annotated[str, Arg(description="how much to do", choices=("full", "quick"))]

AREAS: Final = Roster(
    agent=AgentRole.EXPLORE,
    tier=Tier.FAST,
    script=Script(module="tests.workflows.area.run", passes=("state_dir",)),
    most=3,
    at_most=2,
    characters=200,
    returns="PASS",
    sample=(Task("api", "Map the API.\n\n  Leave out tests and docs."), Task("storage", "Map the storage layer.")),
)


def scope(
    context: StepContext, state_dir: StateDir, mode: Mode = "full"
) -> tuple[Literal[Outcome.OK, Outcome.SKIP], dict[str, str]]:
    return Outcome.SKIP if mode == "quick" else Outcome.OK, {}


WORKFLOW = Workflow(
    "survey",
    StepDef(
        id="scope",
        title="Scope",
        actions="Say who is to look where.",
        handler=scope,
        next={Outcome.OK: "map", Outcome.SKIP: "report"},
    ),
    StepDef(id="map", title="Map", actions="Let them look.", handler=AREAS, next={Outcome.OK: "report"}),
    StepDef(id="report", title="Report", actions="Report.", next={Outcome.OK: None}),
    module="tests.workflows.survey.run",
    description="A workflow of the tests with a list of agents.",
    params=("state_dir", "mode"),
)
