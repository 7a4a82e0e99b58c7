"""Drawing of one connected graph: the positions of its lines, boxes and texts."""

from collections.abc import Sequence
from itertools import pairwise

from ...schema.plan.diagram import DiagramEdge, DiagramNode
from ..canvas import Canvas
from ..text import edge_text, node_lines, widest, wrapped
from .layers import Arrow, Item, Layers, layered
from .place import placed
from .route import Way, routed
from .sizes import ENDLESS, LOOP, WIDTH, Style, at, box_item, is_inline, label_item, loop_lines


def drawn(nodes: Sequence[DiagramNode], edges: Sequence[DiagramEdge], style: Style) -> Canvas:
    """Return the graph on its own canvas. A graph drawn to the right must not have an arrow from a node to itself."""
    texts = [node_lines(node, style.node) for node in nodes]
    loops = [[loop_lines(edge, style) for edge in edges if edge.source == edge.target == node.id] for node in nodes]
    apart = [edge for edge in edges if edge.source != edge.target]
    labels = [wrapped(edge_text(edge), style.edge) for edge in apart]
    number = {node.id: place for place, node in enumerate(nodes)}
    arrows = [
        Arrow(number[edge.source], number[edge.target], label_item(lines, style) if lines else None)
        for edge, lines in zip(apart, labels, strict=True)
    ]
    layers = layered([box_item(*each, style) for each in zip(texts, loops, strict=True)], arrows, style.room)
    places = placed(layers, *((2, WIDTH) if style.down else (1, ENDLESS)))
    routes = [routed(ends) for ends in places.ends]
    begins = _begins(layers, [tracks for _, tracks in routes], style)
    canvas = Canvas()
    for edge, points in enumerate(_lines(layers, places.ends, [ways for ways, _ in routes], begins, len(arrows))):
        canvas.line([at(*point, style) for point in points])
        head = points[0 if edge in layers.upward else -1]
        canvas.text(*at(*head, style), "<>^v"[2 * style.down + (edge not in layers.upward)])
    for begin, items, starts in zip(begins, layers.items, places.starts, strict=True):
        length = max(item.length for item in items)
        for item, start in zip(items, starts, strict=True):
            row, column = at(begin, start, style)
            if item.port is None:
                _draw_box(canvas, row, column, item, texts[item.number], loops[item.number], style)
            elif item.length:
                _draw_label(canvas, row, column, labels[item.number], length, style)
    return canvas


def _begins(layers: Layers, tracks: Sequence[int], style: Style) -> list[int]:
    """Return the start of each layer. Lines run straight for a cell next to boxes: an arrowhead needs the room."""
    position, found = 0, list[int]()
    for layer, items in enumerate(layers.items):
        found.append(position)
        position += max(item.length for item in items)
        if layer < len(tracks):
            position += tracks[layer] + _pad_below(items) + _pad_above(layers.items[layer + 1], style)
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
    """Return the points of each arrow's line, from its upper node's border to its lower node's."""
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
    """Return the points without repetitions."""
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
        inline = is_inline(lines, style)
        canvas.text(top + number, left - inline, f" {line} " if inline else line)
