"""One connected graph, drawn: what room each part needs, and where its lines, boxes and texts come to stand.

Along is the way that arrows run, down or to the right; across is the other.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from attrs import frozen

from ..schema.diagram import DiagramEdge, DiagramNode
from .canvas import PADDING, Canvas
from .layers import Arrow, Item, Layers, layered
from .place import placed
from .route import Way, routed
from .text import edge_text, node_lines, widest, wrapped

WIDTH: Final = 80
"""Columns of a diagram at most (002, "ASCII Conventions")."""
ENDLESS: Final = 10_000
"""Rows."""
LOOP: Final = 4
"""Columns of an arrow from a box to itself, with the blank before its label."""


@frozen
class Style:
    """How a graph is laid out: the room, in columns, for the text in a box and at an arrow, and for a layer."""

    down: bool
    """Whether arrows run down, else to the right."""
    node: int
    edge: int
    room: int
    inline: bool = True
    """Whether text stands within an arrow to the right where it is one line, else above it."""


def drawn(nodes: Sequence[DiagramNode], edges: Sequence[DiagramEdge], style: Style) -> Canvas:
    """The graph on a canvas of its own. To the right it cannot run with an arrow from a node to itself."""
    texts = [node_lines(node, style.node) for node in nodes]
    loops = [[_loop(edge, style) for edge in edges if edge.source == edge.target == node.id] for node in nodes]
    apart = [edge for edge in edges if edge.source != edge.target]
    labels = [wrapped(edge_text(edge), style.edge) for edge in apart]
    number = {node.id: place for place, node in enumerate(nodes)}
    boxes = [_box(lines, own, style) for lines, own in zip(texts, loops, strict=True)]
    arrows = [
        Arrow(number[edge.source], number[edge.target], _label(lines, style) if lines else None)
        for edge, lines in zip(apart, labels, strict=True)
    ]
    layers = layered(boxes, arrows, style.room)
    places = placed(layers, *((2, WIDTH) if style.down else (1, ENDLESS)))
    routes = [routed(ends) for ends in places.ends]
    begins = _begins(layers, [tracks for _, tracks in routes], style)
    canvas = Canvas()
    for edge, points in enumerate(_lines(layers, places.ends, [ways for ways, _ in routes], begins, len(arrows))):
        canvas.line([_at(*point, style) for point in points])
        row, column = _at(*points[0 if edge in layers.upward else -1], style)
        canvas.text(row, column, "<>^v"[2 * style.down + (edge not in layers.upward)])
    for begin, items, starts in zip(begins, layers.items, places.starts, strict=True):
        length = max(item.length for item in items)
        for item, start in zip(items, starts, strict=True):
            row, column = _at(begin, start, style)
            if item.port is None:
                _draw_box(canvas, row, column, item, texts[item.number], loops[item.number], style)
            elif item.length:
                _draw_label(canvas, row, column, labels[item.number], length, style)
    return canvas


def _at(along: int, across: int, style: Style) -> tuple[int, int]:
    """The row and the column."""
    return (along, across) if style.down else (across, along)


def _loop(edge: DiagramEdge, style: Style) -> tuple[str, ...]:
    """The lines of text beside an arrow from a box to itself, which takes two rows at least."""
    lines = wrapped(edge_text(edge), style.edge)
    return (*lines, *[""] * (2 - len(lines)))


def _box(lines: Sequence[str], loops: Sequence[Sequence[str]], style: Style) -> Item:
    width = widest(lines) + PADDING
    height = max(len(lines), sum(map(len, loops))) + 2
    if not style.down:
        return Item(height, width)
    margin = max((LOOP + widest(loop) for loop in loops), default=0)
    return Item(width + margin, height, margin=margin)


def _label(lines: Sequence[str], style: Style) -> Item:
    """To the right of an arrow that runs down; within one that runs to the right, or above it."""
    if style.down:
        return Item(widest(lines) + 2, len(lines), port=0)
    if _inline(lines, style):
        return Item(1, widest(lines) + 4, port=0)
    return Item(len(lines) + 1, widest(lines), port=len(lines))


def _inline(lines: Sequence[str], style: Style) -> bool:
    return style.inline and not style.down and len(lines) == 1


def _begins(layers: Layers, tracks: Sequence[int], style: Style) -> list[int]:
    """Where along each layer begins. Beside boxes lines run straight for a bit: an arrowhead needs the place."""
    position, found = 0, list[int]()
    for at, items in enumerate(layers.items):
        found.append(position)
        position += max(item.length for item in items)
        if at < len(tracks):
            position += tracks[at] + _pad_below(items) + _pad_above(layers.items[at + 1], style)
    return found


def _pad_below(items: Sequence[Item]) -> int:
    return 1 if any(item.port is None for item in items) else 0


def _pad_above(items: Sequence[Item], style: Style) -> int:
    return (1 if style.down else 2) if any(item.port is None for item in items) else 0


def _lines(
    layers: Layers,
    ends: Sequence[Sequence[tuple[int, int]]],
    ways: Sequence[Sequence[Way]],
    begins: Sequence[int],
    count: int,
) -> list[list[tuple[int, int]]]:
    """The points of each arrow's line, from its upper node's border to its lower node's."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for gap, segments in enumerate(layers.segments):
        items = layers.items[gap]
        first_track = begins[gap] + max(item.length for item in items) + _pad_below(items)
        for (upper, lower, edge), (start, end), way in zip(segments, ends[gap], ways[gap], strict=True):
            points = found[edge]
            if items[upper].port is None:
                points.append((begins[gap] + items[upper].length, start))
            points += [(first_track + track, place) for track, place in way]
            if layers.items[gap + 1][lower].port is None:
                points.append((begins[gap + 1] - 1, end))
    return [_without_stops(points) for points in found]


def _without_stops(points: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The points, those left out at which the line does not move."""
    return [points[0], *(after for before, after in pairwise(points) if before != after)]


def _draw_box(
    canvas: Canvas,
    row: int,
    column: int,
    item: Item,
    lines: Sequence[str],
    loops: Sequence[Sequence[str]],
    style: Style,
) -> None:
    across, along = item.breadth - item.margin, item.length
    width, height = (across, along) if style.down else (along, across)
    canvas.box(row, column, width, height, lines)
    row, column = row + 1, column + width
    for loop in loops:
        for number, line in enumerate(loop):
            canvas.text(row + number, column, "--+" if not number else "<-+" if number == len(loop) - 1 else "  |")
            canvas.text(row + number, column + LOOP, line)
        row += len(loop)


def _draw_label(canvas: Canvas, row: int, column: int, lines: Sequence[str], length: int, style: Style) -> None:
    if style.down:
        left, top = column + 2, row
    else:
        left, top = column + (length - widest(lines)) // 2, row
    for number, line in enumerate(lines):
        inline = _inline(lines, style)
        canvas.text(top + number, left - inline, f" {line} " if inline else line)
