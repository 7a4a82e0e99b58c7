"""The block that a print is, for tests that know which."""

from typing import TypeVar

from lib.workflow.ast.declare import Node
from lib.workflow.ast.parse import parse

N = TypeVar("N", bound=Node)


def only(printed: str, cls: type[N]) -> N:
    """The one block of a print, which is of that class."""
    (block,) = parse(printed).blocks
    assert isinstance(block, cls), printed
    return block
