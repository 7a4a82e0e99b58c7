"""The form that fits any graph: every node in a box, and below it its arrows, one by one."""

from collections.abc import Iterator
from typing import Final

from ..schema.diagram import Diagram, DiagramEdge, DiagramNode, DiagramType
from .canvas import PADDING, Canvas
from .text import edge_text, node_lines, widest, wrapped

INDENT: Final = 4


def listing(diagram: Diagram, width: int) -> Canvas:
    """The graph within so many columns. The messages of a sequence stand in the order of time, below all parties."""
    canvas = Canvas()
    label = {node.id: node.label for node in diagram.nodes}
    row = 0
    in_time = diagram.type is DiagramType.SEQUENCE
    for node in diagram.nodes:
        row = _box(canvas, row, node, width)
        for edge in () if in_time else diagram.edges:
            if edge.source == node.id:
                row = _entry(canvas, row, f"--> {label[edge.target]}", edge, width)
        row += 1
    for number, edge in enumerate(diagram.edges if in_time else (), 1):
        row = _entry(canvas, row, f"{number}. {label[edge.source]} --> {label[edge.target]}", edge, width)
    return canvas


def _box(canvas: Canvas, row: int, node: DiagramNode, width: int) -> int:
    lines = node_lines(node, width - PADDING)
    canvas.box(row, 0, widest(lines) + PADDING, len(lines) + 2, lines)
    return row + len(lines) + 2


def _entry(canvas: Canvas, row: int, head: str, edge: DiagramEdge, width: int) -> int:
    for indent, line in _lines(head, edge, width):
        canvas.text(row, indent, line)
        row += 1
    return row


def _lines(head: str, edge: DiagramEdge, width: int) -> Iterator[tuple[int, str]]:
    """One line where all fits, else the text of the arrow on lines of its own."""
    text = edge_text(edge)
    whole = f"{head}: {text}" if text else head
    lines = wrapped(whole, width - 2)
    if len(lines) == 1:
        yield 2, whole
        return
    yield from ((2 if not n else 2 + INDENT, line) for n, line in enumerate(wrapped(head, width - 2 - INDENT)))
    yield from ((2 + INDENT, line) for line in wrapped(text, width - 2 - INDENT))
