"""Workflow whose rounds can go on for ever, because its counter does not change."""

from typing import Annotated, Literal

from lib.workflow.core import AgentChoice, Arg, Outcome, StepContext, StepDef, Workflow

Round = Annotated[int, Arg(min=1, max=3)]


def look(context: StepContext, iteration: Round = 1) -> AgentChoice[Literal[Outcome.OK, Outcome.ITERATE]]:
    return AgentChoice({Outcome.OK: {}, Outcome.ITERATE: {"iteration": iteration}})


WORKFLOW = Workflow(
    "endless",
    StepDef(
        id="look",
        title="Look",
        actions="Look.",
        handler=look,
        next={Outcome.OK: "end", Outcome.ITERATE: "look"},
        when={Outcome.OK: "all is seen", Outcome.ITERATE: "something is not"},
    ),
    StepDef(id="end", title="End", actions="End.", next={Outcome.OK: None}),
    module="faulty.endless_run",
)
