"""A diagram as Mermaid text, for readers that draw it themselves (https://mermaid.js.org)."""

from collections.abc import Iterator
from typing import Final

from lib.workflow.graph.mermaid import escaped, label

from ..schema.plan.diagram import Diagram, DiagramNode, DiagramType
from .text import edge_text

HEADERS: Final = {
    DiagramType.ARCHITECTURE: "flowchart TD",
    DiagramType.STATE: "flowchart TD",
    DiagramType.SEQUENCE: "sequenceDiagram",
    DiagramType.DATAFLOW: "flowchart LR",
}
NOTHING: Final = "#160;"
"""A blank, for a message without text, because Mermaid requires some."""


def mermaid(diagram: Diagram) -> str:
    """Return the text of a flowchart, its states with round corners, or of a sequence diagram."""
    return "\n".join(_lines(diagram))


def _lines(diagram: Diagram) -> Iterator[str]:
    names = {node.id: f"n{number}" for number, node in enumerate(diagram.nodes)}
    yield HEADERS[diagram.type]
    if diagram.type is DiagramType.SEQUENCE:
        for node in diagram.nodes:
            yield f"    participant {names[node.id]} as {'<br>'.join(map(escaped, _texts(node)))}"
        for edge in diagram.edges:
            text = escaped(edge_text(edge)) or NOTHING
            yield f"    {names[edge.source]}->>{names[edge.target]}: {text}"
        return
    left, right = "()" if diagram.type is DiagramType.STATE else "[]"
    for node in diagram.nodes:
        yield f"    {names[node.id]}{left}{label(*_texts(node))}{right}"
    for edge in diagram.edges:
        text = f"|{label(edge_text(edge))}|" if edge_text(edge) else ""
        yield f"    {names[edge.source]} -->{text} {names[edge.target]}"


def _texts(node: DiagramNode) -> tuple[str, ...]:
    return (node.label, f"({node.type})") if node.type else (node.label,)
