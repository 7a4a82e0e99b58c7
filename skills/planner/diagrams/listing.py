"""A list that fits any graph: every node in a box, and below it its arrows, one by one."""

from collections.abc import Iterable, Iterator
from typing import Final

from ..schema.plan.diagram import Diagram, DiagramEdge, DiagramNode, DiagramType
from .canvas import PADDING, Canvas
from .text import edge_text, node_lines, widest, wrapped

INDENT: Final = 4


def listing(diagram: Diagram, width: int) -> Canvas:
    """Return the graph within that many columns. Messages of a sequence are in the order of time, below all parties."""
    canvas = Canvas()
    label = {node.id: node.label for node in diagram.nodes}
    if diagram.type is DiagramType.SEQUENCE:
        row = _shelves(canvas, diagram.nodes, width)
        for number, edge in enumerate(diagram.edges, 1):
            row = _entry(canvas, row, f"{number}. {label[edge.source]} --> {label[edge.target]}", edge, width)
        return canvas
    row = 0
    for node in diagram.nodes:
        row = _shelves(canvas, (node,), width, row) - 1
        for edge in diagram.edges:
            if edge.source == node.id:
                row = _entry(canvas, row, f"--> {label[edge.target]}", edge, width)
        row += 1
    return canvas


def _shelves(canvas: Canvas, nodes: Iterable[DiagramNode], width: int, row: int = 0) -> int:
    """Draw boxes side by side, in rows from `row` on. Returns the row for what follows, after a blank one."""
    column, tallest = 0, 0
    for node in nodes:
        lines = node_lines(node, width - PADDING)
        breadth, height = widest(lines) + PADDING, len(lines) + 2
        if column and column + breadth > width:
            row, column, tallest = row + tallest + 1, 0, 0
        canvas.box(row, column, breadth, height, lines)
        column, tallest = column + breadth + 2, max(tallest, height)
    return row + tallest + 1


def _entry(canvas: Canvas, row: int, head: str, edge: DiagramEdge, width: int) -> int:
    for indent, line in _lines(head, edge, width):
        canvas.text(row, indent, line)
        row += 1
    return row


def _lines(head: str, edge: DiagramEdge, width: int) -> Iterator[tuple[int, str]]:
    """Yield one line if all fits, else the text of the arrow on separate lines."""
    text = edge_text(edge)
    whole = f"{head}: {text}" if text else head
    lines = wrapped(whole, width - 2)
    if len(lines) == 1:
        yield 2, whole
        return
    yield from ((2 if not n else 2 + INDENT, line) for n, line in enumerate(wrapped(head, width - 2 - INDENT)))
    yield from ((2 + INDENT, line) for line in wrapped(text, width - 2 - INDENT))
