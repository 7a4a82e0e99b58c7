"""A diagram as ASCII within 80 columns: the roomiest drawing of its type that fits, or else a list."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from ..schema.plan.diagram import Diagram, DiagramType
from .canvas import Canvas
from .flow import flow
from .layout.sizes import WIDTH, Style
from .listing import listing
from .sequence import sequence
from .text import texts, unmeasurable

ROOMS: Final = ((28, 20), (20, 16), (16, 12), (12, 10))
"""Columns for the text in a box and at an arrow, from roomy to narrow."""
FULL: Final = (80, 60, 40)
TALKS: Final = ((20, 40, 4), (16, 30, 4), (16, 22, 4), (12, 16, 4), (10, 12, 4), (10, 12, 2))
"""Columns for the text in a party's box, for that of a message, and around the text in the box."""

LARGEST: Final = 100
"""Most nodes and edges of a graph that is worth drawing."""
TALLEST: Final = 60
"""Most rows of a drawing that is still easier to read than a list of the same height."""


def draw(diagram: Diagram) -> str:
    """Return the drawing, always the same for the same graph.

    Raises ValueError for an invalid graph (an edge without its nodes, two nodes with one id), and for a text whose
    width is unknown.
    """
    ids = Counter(node.id for node in diagram.nodes)
    unknown = [end for edge in diagram.edges for end in (edge.source, edge.target) if end not in ids]
    twice = [node for node, count in ids.items() if count > 1]
    if unknown or twice:
        raise ValueError(f"{diagram.id}: {[*unknown, *twice][0]!r:.60} is not the id of one node; fix the graph first")
    for _, text in texts(diagram):
        char = unmeasurable(text)
        if char is not None:
            raise ValueError(f"{text!r:.60}: U+{ord(char):04X} has no fixed width in a terminal; remove it")
    plain = listing(diagram, WIDTH)
    tries = _tries(diagram) if len(diagram.nodes) + len(diagram.edges) <= LARGEST else ()
    tallest = max(TALLEST, plain.height)
    return str(next((canvas for canvas in tries if canvas.width <= WIDTH and canvas.height <= tallest), plain))


def _tries(diagram: Diagram) -> Iterator[Canvas]:
    """Yield drawings, from the roomiest to the narrowest."""
    if diagram.type is DiagramType.SEQUENCE:
        yield from (sequence(diagram, *rooms) for rooms in TALKS)
        return
    loops = any(edge.source == edge.target for edge in diagram.edges)
    if diagram.type is DiagramType.DATAFLOW and not loops:
        for inline in (True, False):
            yield from (flow(diagram, Style(False, node, edge, WIDTH, inline)) for node, edge in ROOMS)
    for full in FULL:
        yield from (flow(diagram, Style(True, node, edge, full)) for node, edge in ROOMS)
