"""Workflow whose handler never returns an outcome that its type promises."""

from typing import Annotated, Literal

from lib.workflow.core import Arg, Outcome, StepContext, StepDef, Workflow

Round = Annotated[int, Arg(min=1, max=2)]


def look(context: StepContext, iteration: Round = 1) -> tuple[Literal[Outcome.OK, Outcome.ITERATE], dict[str, int]]:
    return Outcome.ITERATE, {"iteration": 3 - iteration}


WORKFLOW = Workflow(
    "stuck",
    StepDef(id="look", title="Look", actions="Look.", handler=look, next={Outcome.OK: "end", Outcome.ITERATE: "look"}),
    StepDef(id="end", title="End", actions="End.", next={Outcome.OK: None}),
    module="faulty.stuck_run",
)
