"""Work that is handed to other agents."""

from typing import TYPE_CHECKING, Final, TypeVar

from attrs import field, frozen

from ..types import AgentRole
from .declare import ELEMENT, Node
from .step import Invoke

if TYPE_CHECKING:
    from .visitor import Visitor

T = TypeVar("T")


@frozen(kw_only=True, eq=False, repr=False)
class SubagentDispatchNode(Node):
    """One agent to launch: its role, what it is told, and the command that it starts with."""

    tag = "subagent_dispatch"
    agent: AgentRole
    prompt: str | None = field(default=None, metadata=ELEMENT)
    invoke: Invoke

    def accept(self, visitor: "Visitor[T]") -> T:
        return visitor.subagent_dispatch(self)


NODES: Final = (SubagentDispatchNode,)
"""The classes of this family."""
