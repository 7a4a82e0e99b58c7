"""Diagrams: the architect's graphs, and the technical writer's drawings of them."""

from typing import Annotated, Final, TypeAlias

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Code
from lib.workflow.ast.results import Operation
from lib.workflow.cli.table.arguments import UNSET, Flag, Unset
from lib.workflow.errors import RefusedError

from ...schema.plan.diagram import Diagram, DiagramEdge, DiagramNode, DiagramType, succeeding
from ...schema.plan.document import Plan
from ...schema.plan.entities import put
from ...schema.plan.findings import listed
from ..refusing import refusing
from .conflict import check_version
from .entity import Id, Result, Version, at, born, changed, created, known, revised, updated

NODE: Final = "node-"
"""The prefix of ids of nodes that nobody named."""

DiagramId: TypeAlias = Annotated[str, Flag(ref=True, description="the diagram, such as DIAG-001")]
DiagramVersion: TypeAlias = Annotated[
    int | None, Flag(min=1, description="the diagram's version, to detect other changes")
]
Scope: TypeAlias = Annotated[str, Flag(ref=True, description="overview, invisible_knowledge or milestone:M-001")]


def set_diagram(
    plan: Plan,
    id_: Id = None,
    version: Version = None,
    type_: Annotated[DiagramType, Flag(description="the kind of diagram")] | Unset = UNSET,
    scope: Scope | Unset = UNSET,
    title: Annotated[str, Flag(description="one line")] | Unset = UNSET,
) -> Result:
    """Add a diagram, or change one."""
    values = {"type": type_, "scope": scope, "title": title}
    if id_ is None:
        return created(plan, born(plan, Diagram, **values))
    before = at(plan, Diagram, id_, version)
    return _drawn_anew(plan, before, revised(before, **values), id_)


def add_diagram_node(
    plan: Plan,
    diagram: DiagramId,
    label: Annotated[str, Flag(description="the text in the box")],
    node: Annotated[str | None, Flag(description="its id (default: node-001 and so on)")] = None,
    type_: Annotated[str | None, Flag(description="its kind, such as service, database, queue")] = None,
    version: DiagramVersion = None,
) -> Result:
    """Add a node to a diagram.

    If you give the diagram's version, the node may replace the one with the same id.
    """
    before = _expected(plan, diagram, version)
    name = node or _next_node(before)
    with refusing(f"{diagram} {name}"):
        made = DiagramNode(id=name, label=label, type=type_)
    there = any(each.id == name for each in before.nodes)
    if there and version is None:
        fix = "give the new one another id; or send the diagram's version to replace this one"
        raise RefusedError("exists", f"{diagram} {name}", "a node has this id", fix)
    nodes = tuple(made if each.id == name else each for each in before.nodes) if there else (*before.nodes, made)
    return _drawn_anew(plan, before, revised(before, nodes=nodes), name)


def add_diagram_edge(
    plan: Plan,
    diagram: DiagramId,
    source: Annotated[str, Flag(description="the node where it starts")],
    target: Annotated[str, Flag(description="the node where it ends")],
    label: Annotated[str, Flag(description="its action, such as validates, sends, reads")] = "",
    protocol: Annotated[str | None, Flag(description="its protocol, such as gRPC, HTTP")] = None,
    version: DiagramVersion = None,
) -> Result:
    """Add an edge to a diagram, after the others.

    The edges of a sequence are in the order of time.
    """
    before = _expected(plan, diagram, version)
    with refusing(diagram):
        edge = DiagramEdge(source=source, target=target, label=label, protocol=protocol)
    return _drawn_anew(plan, before, revised(before, edges=(*before.edges, edge)), diagram)


def set_diagram_render(
    plan: Plan,
    id_: DiagramId,
    version: Version = None,
    render: Annotated[str | None, Flag(long=True, description="the drawing (default: drawn for you)")] = None,
) -> Result:
    """Draw a diagram, or have it drawn.

    The drawing must show the label of every node and edge, close every box, and have no line longer than 80 columns.
    """
    before = at(plan, Diagram, id_, version)
    drawing = _drawing(before) if render is None else render
    from ...diagrams.verify import faults

    found = faults(before, drawing)
    if found:
        raise RefusedError("invalid-drawing", id_, listed(found), "nothing was changed; each line names what to fix")
    return updated(plan, revised(before, ascii_render=drawing))


def render_diagram(
    plan: Plan,
    id_: DiagramId,
    mermaid: Annotated[bool, Flag(description="print Mermaid")] = False,
    stored: Annotated[bool, Flag(description="print the stored drawing, if there is one")] = False,
) -> Node:
    """Show a diagram as the program would draw it."""
    diagram = known(plan, Diagram, id_)
    if not mermaid:
        kept = diagram.ascii_render if stored else None
        return Code(text=_drawing(diagram) if kept is None else kept)
    from ...diagrams.mermaid import mermaid as in_mermaid

    return Code(language="mermaid", text=in_mermaid(diagram))


def _drawing(diagram: Diagram) -> str:
    if not diagram.nodes:
        raise RefusedError("incomplete", diagram.id, "it has no nodes to draw", "add some first: add-diagram-node")
    from ...diagrams.draw import draw  # only this command needs the layout

    with refusing(diagram.id):
        return draw(diagram)


def without_part(plan: Plan, before: Diagram, node: str | None, edge: int | None) -> Result:
    """Remove a node, or an edge by its place from 1, from a diagram."""
    nodes = tuple(each for each in before.nodes if each.id != node)
    if node is not None and nodes == before.nodes:
        fix = f"name one of {', '.join(each.id for each in nodes)}" if nodes else "the diagram has none"
        raise RefusedError("unknown-id", f"{before.id} {node}", "no node has this id", fix)
    edges = before.edges if edge is None else before.edges[: edge - 1] + before.edges[edge:]
    if edge is not None and edges == before.edges:
        raise RefusedError("unknown-id", before.id, f"there is no edge {edge}", f"the diagram has {len(edges)}")
    return _drawn_anew(plan, before, revised(before, nodes=nodes, edges=edges), before.id)


def _expected(plan: Plan, diagram: str, version: int | None) -> Diagram:
    """Return the diagram, checked against the version if one is named. Additions do not need the version."""
    found = known(plan, Diagram, diagram)
    if version is not None:
        check_version(diagram, found.version, version, found)
    return found


def _next_node(diagram: Diagram) -> str:
    digits = [node.id.removeprefix(NODE) for node in diagram.nodes if node.id.startswith(NODE)]
    numbers = [int(text) for text in digits if text.isascii() and text.isdigit() and len(text) < 10]
    return f"{NODE}{max(numbers, default=0) + 1:03d}"


def _drawn_anew(plan: Plan, before: Diagram, revision: Diagram, target: str) -> Result:
    """Return the plan with the changed diagram, without the drawing of the old graph."""
    after = succeeding(revision, before)
    lost = before.ascii_render is not None and after.ascii_render is None
    notes = (
        [f"the drawing of {before.id} showed the graph as it was and is removed: set-diagram-render"] if lost else []
    )
    return changed(plan, put(plan, after), target, after.version, Operation.UPDATED, *notes)
