"""What a command prints besides steps."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeVar

from attrs import field, frozen

from ..characters import one_line
from .declare import ELEMENT, Node

if TYPE_CHECKING:
    from .visitor import Visitor

T = TypeVar("T")


class RefusalSeverity(StrEnum):
    """Whether the refused request can be mended by whoever sent it, or the program itself is broken."""

    ERROR = "error"
    FATAL = "fatal"


@frozen(kw_only=True, eq=False, repr=False)
class Refusal(Node):
    """Why nothing was done, and what to do instead: the frame on standard output that goes with exit status 1.

    `code` is a fixed word that a program can look for; `target` is what was refused: a file, an entity, a step.
    """

    tag = "refusal"
    code: str = field(validator=one_line)
    severity: RefusalSeverity = RefusalSeverity.ERROR
    target: str
    message: str = field(metadata=ELEMENT)
    fix: str = field(metadata=ELEMENT)

    def accept(self, visitor: "Visitor[T]") -> T:
        return visitor.refusal(self)


NODES: Final = (Refusal,)
"""The classes of this family."""
