"""How a step hands work over: to another script, to agents, and by a list to the agents of the next step."""

from collections.abc import Iterator

from .ast.declare import Node
from .ast.step import Invoke
from .command import Command, flags
from .roster import Roster
from .steps import Dispatch, Handler, Script, StepContext


def starting(script: Script, context: StepContext) -> Command:
    """The command of another script's first step."""
    values = {name: context.workflow_params[name] for name in script.passes}
    return Command(script.module, flags({"step": 1, **values}))


def dispatched(handler: Handler | None, context: StepContext) -> Iterator[Node]:
    """What a step says of the agents to launch. Raises RefusedError for tasks that its roster does not take."""
    if isinstance(handler, Roster):
        from .tasks import launched  # only the steps that dispatch pay for it

        yield from launched(handler, context.tasks, starting(handler.script, context))
    elif isinstance(handler, Dispatch):
        from .ast.dispatch import SubagentDispatchNode

        yield SubagentDispatchNode(
            agent=handler.agent,
            tier=handler.tier,
            prompt=handler.prompt(context) if callable(handler.prompt) else handler.prompt,
            returns=handler.returns,
            invoke=Invoke(starting(handler.script, context)),
        )


def asked_for(handler: Handler | None) -> Iterator[Node]:
    """How the list is written that a step with this handler reads; nothing for a step that reads none."""
    if isinstance(handler, Roster):
        from .tasks import form

        yield form(handler)
