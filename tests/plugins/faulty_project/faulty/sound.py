"""A workflow without faults that counts its rounds."""

from typing import Annotated, Literal

from lib.workflow.core import AgentChoice, Arg, Outcome, State, StepContext, StepDef, Workflow

Round = Annotated[int, Arg(min=1, max=3)]


def look(context: StepContext, iteration: Round = 1) -> AgentChoice[Literal[Outcome.OK, Outcome.ITERATE]]:
    ways: dict[Literal[Outcome.OK, Outcome.ITERATE], State] = {Outcome.OK: {}}
    if iteration < 3:
        ways[Outcome.ITERATE] = {"iteration": iteration + 1}
    return AgentChoice(ways)


WORKFLOW = Workflow(
    "sound",
    StepDef(
        id="look",
        title="Look",
        actions="Look.",
        handler=look,
        next={Outcome.OK: "end", Outcome.ITERATE: "look"},
        when={Outcome.OK: "all is seen", Outcome.ITERATE: "something is not"},
    ),
    StepDef(id="end", title="End", actions="End.", next={Outcome.OK: None}),
    module="faulty.sound_run",
)
