"""A command in a document, used by steps and results; results need not import steps."""

from typing import TYPE_CHECKING, TypeVar

from attrs import frozen

from ..command import Command
from .fields import Node

if TYPE_CHECKING:
    from .visitor import Visitor

T = TypeVar("T")


@frozen(eq=False, repr=False)
class Invoke(Node):
    """A command to run exactly as printed."""

    tag = "invoke"
    command: Command

    def accept(self, visitor: "Visitor[T]") -> T:
        return visitor.invoke(self)
