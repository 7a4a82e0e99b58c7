"""The graph as plain text for a terminal.

The column shows the kind of a line: a phase in the first column, a step's number before its title, notes and outcomes
below the title. Titles and conditions wrap further to the right, so none can look like another kind of line.
"""

from collections.abc import Iterator
from typing import Final

from ..util.characters import on_a_screen
from ..util.wrapping import wrapped
from .data import Graph, GraphEdge
from .words import END, SCRIPT, START, edge_labels, notes, phases, title

_NO_PHASE: Final = "(no phase)"
_FURTHER: Final = " " * 4


def text(graph: Graph, width: int = 80) -> str:
    """Return the steps with their outcomes below them, in lines of at most `width` columns."""
    return "\n".join(line.rstrip() for line in _lines(graph, width))


def _lines(graph: Graph, width: int) -> Iterator[str]:
    digits = len(str(len(graph.nodes))) + 1
    margin = " " * (digits + 2)
    numbers = {node.id: node.number for node in graph.nodes}
    ways = {edge: _way(edge, numbers) for edge in graph.edges}
    within = [len(way) for edge, way in ways.items() if not edge.script]
    conditions = " " * (len(margin) + max(within, default=0) + 2)
    yield from wrapped(on_a_screen(graph.name), width)
    yield from wrapped(on_a_screen(graph.description), width)
    yield ""
    yield from (f"{margin}{START} → {node.number}" for node in graph.nodes if node.entry)
    phased = any(node.phase for node in graph.nodes)
    for phase, nodes in phases(graph):
        if phased:
            yield ""
            yield from wrapped(phase or _NO_PHASE, width)
        for node in nodes:
            yield ""
            yield from wrapped(title(node), width, f"{node.number:>{digits}}  ", margin + _FURTHER)
            for note in notes(node):
                yield from wrapped(f"[{note}]", width, margin, margin + _FURTHER)
            for edge in graph.leaving(node):
                way = wrapped(ways[edge], width, margin, margin + _FURTHER)
                condition = wrapped(" ".join(edge_labels(edge)[1:]), width, conditions, conditions)
                if condition and len(way[-1]) + 2 <= len(conditions):
                    way[-1] = way[-1] + condition.pop(0)[len(way[-1]) :]
                yield from (*way, *condition)


def _way(edge: GraphEdge, numbers: dict[str, int]) -> str:
    outside = f"{SCRIPT} {edge.script}" if edge.script else END
    return f"{edge_labels(edge)[0]} → {outside if edge.target is None else numbers[edge.target]}"
