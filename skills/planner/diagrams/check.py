"""Faults of a diagram at the end of a phase. Its references are checked at any time."""

from collections.abc import Iterator

from ..schema.plan.diagram import Diagram
from ..schema.plan.findings import Finding
from .text import texts, unmeasurable
from .verify import FIELD, faults


def undesigned(diagram: Diagram) -> Iterator[Finding]:
    """Yield the architect's faults: nothing to see, nodes without an edge, labels that no terminal can align."""
    if not diagram.nodes:
        yield Finding(diagram.id, "nodes", "there are none", "add nodes: add-diagram-node; or remove the diagram")
    joined = {end for edge in diagram.edges for end in (edge.source, edge.target)}
    for node in diagram.nodes:
        if node.id not in joined:
            fix = "add an edge: add-diagram-edge; or remove the node"
            yield Finding(diagram.id, "nodes", f"no edge connects {node.id} {node.label!r}", fix)
    for field, text in texts(diagram):
        char = unmeasurable(text)
        if char is not None:
            message = f"{text!r:.60} holds U+{ord(char):04X}, which has no fixed width in a terminal"
            yield Finding(diagram.id, field, message, "write it without that character")


def undrawn(diagram: Diagram) -> Iterator[Finding]:
    """Yield the technical writer's faults: no drawing since the graph changed, or one that does not match the graph."""
    if diagram.ascii_render is None:
        fix = "draw it: set-diagram-render, with or without your own drawing"
        yield Finding(diagram.id, FIELD, "was not drawn after the graph changed", fix)
    else:
        yield from faults(diagram, diagram.ascii_render)
