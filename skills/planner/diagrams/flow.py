"""Boxes and arrows: architecture and states from top to bottom, dataflow from left to right."""

from ..schema.plan.diagram import Diagram, DiagramEdge, DiagramNode
from .canvas import Canvas
from .layout.connected import drawn
from .layout.sizes import WIDTH, Style


def flow(diagram: Diagram, style: Style) -> Canvas:
    """Return the graph in that style, of any width. Unconnected parts are side by side."""
    canvas = Canvas()
    row = column = tallest = 0
    for nodes, edges in _components(diagram):
        part = drawn(nodes, edges, style)
        if column and (not style.down or column + part.width > WIDTH):
            row, column, tallest = row + tallest + 1, 0, 0
        canvas.paste(part, row, column)
        column, tallest = column + part.width + 3, max(tallest, part.height)
    return canvas


def _components(diagram: Diagram) -> list[tuple[list[DiagramNode], list[DiagramEdge]]]:
    """Return the connected components of the graph, in the order of their first nodes."""
    part = {node.id: node.id for node in diagram.nodes}
    for edge in diagram.edges:
        old, new = part[edge.target], part[edge.source]
        part = {node: new if root == old else root for node, root in part.items()}
    return [
        ([n for n in diagram.nodes if part[n.id] == root], [e for e in diagram.edges if part[e.source] == root])
        for root in dict.fromkeys(part.values())
    ]
