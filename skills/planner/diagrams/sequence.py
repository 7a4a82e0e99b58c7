"""Messages between parties, in the order of time: a lifeline under each party, an arrow for each message."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from attrs import frozen

from ..schema.plan.diagram import Diagram
from .canvas import PADDING, Canvas
from .text import edge_text, node_lines, widest, wrapped

BESIDE: Final = 4
"""Columns that a message needs besides its text: the lifelines, and a blank on either side."""


@frozen
class _Message:
    source: int
    target: int
    lines: tuple[str, ...]

    @property
    def left(self) -> int:
        return min(self.source, self.target)

    @property
    def right(self) -> int:
        """Return the party at whose lifeline the message ends; for a message to oneself, the next party."""
        return max(self.source, self.target) + (self.source == self.target)

    @property
    def room(self) -> int:
        """Return the columns that the message needs between the two lifelines."""
        return widest(self.lines) + BESIDE + (LOOP if self.source == self.target else 0)


LOOP: Final = 3


def sequence(diagram: Diagram, node_room: int, edge_room: int, padding: int = PADDING) -> Canvas:
    """Return the drawing, of any width.

    Args:
        diagram: A sequence.
        node_room: Columns of text in a party's box.
        edge_room: Columns of a message's text.
        padding: Columns of a box besides its text.
    """
    parties = [node_lines(node, node_room) for node in diagram.nodes]
    number = {node.id: place for place, node in enumerate(diagram.nodes)}
    messages = [
        _Message(number[edge.source], number[edge.target], wrapped(edge_text(edge), edge_room))
        for edge in diagram.edges
    ]
    lives = _lives([widest(lines) + padding for lines in parties], messages)
    canvas = Canvas()
    tallest = max(map(len, parties), default=0) + 2
    for lines, life in zip(parties, lives, strict=True):
        width = widest(lines) + padding
        canvas.box(tallest - len(lines) - 2, life - width // 2, width, len(lines) + 2, lines)
    row = tallest + 1
    for message in messages:
        row = _draw(canvas, row, message, lives)
    below = Canvas()
    for life in lives if messages else ():
        below.line([(tallest, life), (row - 1, life)])
    below.paste(canvas, 0, 0)
    return below


def _lives(widths: Sequence[int], messages: Sequence[_Message]) -> list[int]:
    """Return the column of each lifeline, far enough from the one before for both boxes and the messages between."""
    lives = [widths[0] // 2] if widths else []
    for at, (before, own) in enumerate(pairwise(widths), 1):
        apart = lives[-1] + before - before // 2 + 1 + own // 2
        said = (lives[m.left] + m.room for m in messages if m.right == at)
        lives.append(max(apart, *said, 0))
    return lives


def _draw(canvas: Canvas, row: int, message: _Message, lives: Sequence[int]) -> int:
    """Draw the message from that row on. Returns the row for the next one."""
    source, target = lives[message.source], lives[message.target]
    left = min(source, target)
    if source == target:
        lines = (*message.lines, *[""] * (2 - len(message.lines)))
        for number, line in enumerate(lines):
            last = number == len(lines) - 1
            canvas.text(row + number, left + 1, "--+" if not number else "<-+" if last else "  |")
            canvas.text(row + number, left + 2 + LOOP, line)
        return row + len(lines) + 1
    for number, line in enumerate(message.lines):
        canvas.text(row + number, left + 2, line)
    row += len(message.lines)
    line = "-" * (abs(target - source) - 2)
    canvas.text(row, left + 1, f"{line}>" if source < target else f"<{line}")
    return row + 2
