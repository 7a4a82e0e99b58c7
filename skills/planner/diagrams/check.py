"""Faults of a diagram at the end of a phase. Its references are checked at any time."""

from collections.abc import Iterator

from ..schema.diagram import Diagram
from ..schema.findings import Finding
from .text import texts, unmeasurable
from .verify import FIELD, faults


def undesigned(diagram: Diagram) -> Iterator[Finding]:
    """Yield the architect's faults: nothing to see, nodes without an edge, labels that no terminal can align."""
    if not diagram.nodes:
        yield Finding(diagram.id, "nodes", "there is none", "add what it shows: add-diagram-node; or remove it")
    joined = {end for edge in diagram.edges for end in (edge.source, edge.target)}
    for node in diagram.nodes:
        if node.id not in joined:
            fix = "say how it takes part: add-diagram-edge; or leave it out"
            yield Finding(diagram.id, "nodes", f"no edge has {node.id} {node.label!r}", fix)
    for field, text in texts(diagram):
        char = unmeasurable(text)
        if char is not None:
            message = f"{text!r:.60} holds U+{ord(char):04X}, which takes no certain room in a terminal"
            yield Finding(diagram.id, field, message, "write it without that character")


def undrawn(diagram: Diagram) -> Iterator[Finding]:
    """Yield the technical writer's faults: no drawing since the graph changed, or one that does not match the graph."""
    if diagram.ascii_render is None:
        fix = "draw it: set-diagram-render, with a drawing of yours or without"
        yield Finding(diagram.id, FIELD, "is not drawn since the graph changed", fix)
    else:
        yield from faults(diagram, diagram.ascii_render)
