"""Sizes of the parts of a graph, in a style.

"Along" is the direction of the arrows, down or to the right. "Across" is the other direction.
"""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from ...schema.plan.diagram import DiagramEdge
from ..canvas import PADDING
from ..text import edge_text, widest, wrapped
from .layers import Item

WIDTH: Final = 80
"""Most columns of a diagram."""
ENDLESS: Final = 10_000
"""Rows, more than any drawing has."""
LOOP: Final = 4
"""Columns of an arrow from a box to itself, with the blank before its label."""


@frozen
class Style:
    """The layout of a graph: the room, in columns, for the text in a box and at an arrow, and for a layer."""

    down: bool
    """True if arrows run down, False if they run to the right."""
    node: int
    edge: int
    room: int
    inline: bool = True
    """True if a text of one line is within an arrow to the right, False if it is above it."""


def at(along: int, across: int, style: Style) -> tuple[int, int]:
    """Return the row and the column."""
    return (along, across) if style.down else (across, along)


def loop_lines(edge: DiagramEdge, style: Style) -> tuple[str, ...]:
    """Return the lines of text beside an arrow from a box to itself, which takes at least two rows."""
    lines = wrapped(edge_text(edge), style.edge)
    return (*lines, *[""] * (2 - len(lines)))


def box_item(lines: Sequence[str], loops: Sequence[Sequence[str]], style: Style) -> Item:
    """Return the size of a node's box with the labels of its loops."""
    width = widest(lines) + PADDING
    height = max(len(lines), sum(map(len, loops))) + 2
    if not style.down:
        return Item(height, width)
    margin = max((LOOP + widest(loop) for loop in loops), default=0)
    return Item(width + margin, height, margin=margin)


def label_item(lines: Sequence[str], style: Style) -> Item:
    """Return the label's item: to the right of an arrow that runs down; within or above one that runs to the right."""
    if style.down:
        return Item(widest(lines) + 2, len(lines), port=0)
    if is_inline(lines, style):
        return Item(1, widest(lines) + 4, port=0)
    return Item(len(lines) + 1, widest(lines), port=len(lines))


def is_inline(lines: Sequence[str], style: Style) -> bool:
    """Return True if the label is drawn within its line."""
    return style.inline and not style.down and len(lines) == 1
