"""The agents that a tree launches, and their scripts."""

from collections.abc import Iterable, Iterator

from attrs import frozen

from ..ast.dispatch import RosterDispatchNode, SubagentDispatchNode, TemplateDispatchNode
from ..ast.fields import Node
from ..ast.visitor import walk
from ..types import AgentRole


@frozen(kw_only=True)
class Dispatched:
    """A kind of agent that a step launches, and the module that it runs."""

    agent: AgentRole
    script: str
    many: bool = False
    """True if several run at once: a roster, or one for each target."""


def dispatched(values: Iterable[object]) -> Iterator[Dispatched]:
    """Yield every dispatch in the trees among the values, in order."""
    for value in values:
        for node in walk(value) if isinstance(value, Node) else ():
            if isinstance(node, SubagentDispatchNode):
                yield Dispatched(agent=node.agent, script=node.invoke.command.module)
            elif isinstance(node, TemplateDispatchNode):
                yield Dispatched(agent=node.agent, script=node.template.invoke.command.module, many=True)
            elif isinstance(node, RosterDispatchNode):
                for script in dict.fromkeys(agent.invoke.command.module for agent in node.agents):
                    yield Dispatched(agent=node.agent, script=script, many=True)
