"""Workflow whose handler raises in the second round."""

from typing import Annotated, Literal

from lib.workflow.core import Arg, Outcome, StepContext, StepDef, Workflow

Round = Annotated[int, Arg(min=1, max=3)]


def look(context: StepContext, iteration: Round = 1) -> tuple[Literal[Outcome.OK], dict[str, str]]:
    if iteration == 2:
        raise ZeroDivisionError("the second round")
    return Outcome.OK, {}


WORKFLOW = Workflow(
    "crashing",
    StepDef(id="look", title="Look", actions="Look.", handler=look, next={Outcome.OK: None}),
    module="faulty.crashing_run",
)
