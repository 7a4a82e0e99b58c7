"""Workflow whose parameters multiply beyond a possible trial."""

from typing import Annotated, Literal

from lib.workflow.core import Arg, Outcome, StepContext, StepDef, Workflow

Many = Annotated[int, Arg(min=1, max=20)]


def look(context: StepContext, a: Many = 1, b: Many = 1, c: Many = 1) -> tuple[Literal[Outcome.OK], dict[str, str]]:
    return Outcome.OK, {}


WORKFLOW = Workflow(
    "countless",
    StepDef(id="look", title="Look", actions="Look.", handler=look, next={Outcome.OK: None}),
    module="faulty.countless_run",
)
