"""Workflow that changes a text between two rounds, so that it has one round more than its limit."""

from typing import Annotated, Literal

from lib.workflow.core import AgentChoice, Arg, Outcome, StepContext, StepDef, Workflow

Round = Annotated[int, Arg(min=1, max=2)]
Seen = Annotated[str, Arg(samples=("",))]


def look(
    context: StepContext, iteration: Round = 1, seen: Seen = ""
) -> AgentChoice[Literal[Outcome.OK, Outcome.ITERATE]] | tuple[Literal[Outcome.OK], dict[str, str]]:
    if len(seen) > 1:
        return Outcome.OK, {}
    return AgentChoice({Outcome.OK: {}, Outcome.ITERATE: {"iteration": iteration, "seen": f"{seen}x"}})


WORKFLOW = Workflow(
    "straying",
    StepDef(
        id="look",
        title="Look",
        actions="Look.",
        handler=look,
        next={Outcome.OK: "end", Outcome.ITERATE: "look"},
        when={Outcome.OK: "all is seen", Outcome.ITERATE: "something is not"},
    ),
    StepDef(id="end", title="End", actions="End.", next={Outcome.OK: None}),
    module="faulty.straying_run",
)
