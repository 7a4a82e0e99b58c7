"""The graph as boxes and arrows, for formats that draw."""

from collections.abc import Iterator
from typing import Final

from attrs import frozen

from ..ast.prose import Look
from .data import Decider, Graph, GraphNode
from .words import END, SCRIPT, START, edge_labels, notes, phases, title


@frozen
class Box:
    """A box: a name that no format reserves, its look, and its lines."""

    name: str
    look: Look
    lines: tuple[str, ...]


@frozen
class Arrow:
    """An arrow between two boxes, by name, and the lines beside it."""

    source: str
    target: str
    lines: tuple[str, ...] = ()
    back: bool = False


_START: Final = Box("begin", Look.TERMINAL, (START,))
_END: Final = Box("finish", Look.TERMINAL, (END,))


def groups(graph: Graph) -> Iterator[tuple[str, tuple[Box, ...]]]:
    """Yield the boxes by phase; '' for those without one."""
    yield "", (_START,)
    for phase, nodes in phases(graph):
        yield phase, tuple(map(_box, nodes))
    yield "", tuple(_outside(graph).values())


def arrows(graph: Graph) -> Iterator[Arrow]:
    """Yield the transitions, and the arrow from the start."""
    names = {node.id: f"s{node.number}" for node in graph.nodes}
    outside = _outside(graph)
    yield from (Arrow(_START.name, names[node.id]) for node in graph.nodes if node.entry)
    for edge in graph.edges:
        target = outside[edge.script].name if edge.target is None else names[edge.target]
        yield Arrow(names[edge.source], target, edge_labels(edge), edge.back)


def _outside(graph: Graph) -> dict[str | None, Box]:
    """Return the end, under None, and the scripts that take over, by module."""
    modules = dict.fromkeys(edge.script for edge in graph.edges if edge.target is None)
    return {
        module: _END if module is None else Box(f"script{number}", Look.TERMINAL, (f"{SCRIPT} {module}",))
        for number, module in enumerate(modules, 1)
    }


def _box(node: GraphNode) -> Box:
    gate = node.decider in (Decider.AGENT, Decider.USER)
    return Box(
        f"s{node.number}",
        Look.DISPATCH if node.dispatches else Look.GATE if gate else Look.STEP,
        (f"{node.number} - {title(node)}", *notes(node)),
    )
