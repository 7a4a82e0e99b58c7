"""Workflow that refuses a round that its parameters allow."""

from typing import Annotated, Literal

from lib.workflow.core import Arg, Outcome, StepContext, StepDef, UsageError, Workflow

Round = Annotated[int, Arg(min=1, max=3)]


def look(context: StepContext, iteration: Round = 1) -> tuple[Literal[Outcome.OK], dict[str, str]]:
    if iteration == 3:
        raise UsageError("there is no third round")
    return Outcome.OK, {}


WORKFLOW = Workflow(
    "refusing",
    StepDef(id="look", title="Look", actions="Look.", handler=look, next={Outcome.OK: None}),
    module="faulty.refusing_run",
)
