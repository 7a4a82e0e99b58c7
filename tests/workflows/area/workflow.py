"""The workflow of each agent of the survey."""

from typing import Annotated, TypeAlias

from lib.workflow.core import Arg, Outcome, StepContext, StepDef, Workflow

StateDir: TypeAlias = Annotated[str, Arg(description="where the run keeps its files", path=True)]


def look(context: StepContext, state_dir: StateDir) -> tuple[Outcome, dict[str, str]]:
    return Outcome.OK, {}


WORKFLOW = Workflow(
    "area",
    StepDef(id="look", title="Look", actions="Look at your area.", handler=look, next={Outcome.OK: None}),
    module="tests.workflows.area.run",
    params=("state_dir",),
)
