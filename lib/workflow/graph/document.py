"""The graph as a document for people: a drawing, and the same in words, each step with its outcomes."""

from collections.abc import Iterator

from ..ast.fields import Node
from ..ast.nodes import Code, Document, Element, Text
from ..ast.prose import arrow, box, bullets, flow, labelled, section
from ..util.characters import on_a_screen
from .data import Graph, GraphEdge, GraphNode
from .drawing import arrows, groups
from .words import END, SCRIPT, START, edge_labels, notes, phases, title


def document(graph: Graph) -> Document:
    """Return the drawing, then the steps by phase. A step's anchor is `step-3`, for formats with links."""
    made = section(
        on_a_screen(graph.name),
        Text(on_a_screen(graph.description)),
        section("Drawing", flow(on_a_screen(graph.name), _boxes(graph), _arrows(graph))),
        *(section(phase or "Steps", *(_step(graph, node) for node in nodes)) for phase, nodes in phases(graph)),
    )
    return Document([made or Code(text=graph.name)])


def _boxes(graph: Graph) -> Iterator[Element | None]:
    for phase, inner in groups(graph):
        for number, each in enumerate(inner):
            yield box(each.name, "\n".join(each.lines), each.look, "" if number else phase)


def _arrows(graph: Graph) -> Iterator[Element]:
    for each in arrows(graph):
        yield arrow(each.source, each.target, ": ".join(each.lines))


def _step(graph: Graph, node: GraphNode) -> Node | None:
    ways = bullets(*(_way(graph, edge) for edge in graph.leaving(node)))
    known = (f"{START} → {_name(node)}" if node.entry else None, *notes(node))
    return section(f"{node.number} - {title(node)}", bullets(*known), labelled("Outcomes", ways), anchor=_name(node))


def _way(graph: Graph, edge: GraphEdge) -> str:
    word, *condition = edge_labels(edge)
    if edge.target is None:
        where = f"{SCRIPT} {edge.script}" if edge.script else END
    else:
        target = graph.node(edge.target)
        where = f"{_name(target)}, {title(target)}"
    return ": ".join((f"{word} → {where}", *condition))


def _name(node: GraphNode) -> str:
    return f"step-{node.number}"
