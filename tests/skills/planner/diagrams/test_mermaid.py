"""Diagrams as Mermaid, read by Mermaid's own parser."""

from itertools import pairwise

import pytest

from skills.planner.diagrams.mermaid import mermaid
from skills.planner.schema.plan.diagram import Diagram, DiagramEdge, DiagramNode, DiagramType
from tests.drawings import Read, needs_node, read_back

HOSTILE = (
    'plain "quoted" text',
    "]; click n0 call alert()",
    "%%{init: {'theme': 'dark'}}%%",
    "end",
    "a --> b; subgraph x",
    "<script>alert(1)</script><br>",
    "style n0 fill:#f00;",
    "#quot; #35; &amp;",
    "`markdown **bold**`",
    "a: b ->> c",
    "participant x as y",
    "loop 1 + 2 - 3 / (4)",
    "größe 数据库 🙂",
    "$$x^2$$",
    "|a|b|",
    "\\n",
)


def diagram(kind: DiagramType) -> Diagram:
    """Return a node for each hostile text, an edge with it from each to the next, and one edge without text."""
    nodes = tuple(DiagramNode(id=f"n {n}", label=text, type=text) for n, text in enumerate(HOSTILE))
    edges = tuple(
        DiagramEdge(source=before.id, target=after.id, label=before.label, protocol=before.label)
        for before, after in pairwise(nodes)
    )
    silent = DiagramEdge(source=nodes[0].id, target=nodes[0].id)
    return Diagram(id="DIAG-001", type=kind, scope="overview", title="t", nodes=nodes, edges=(*edges, silent))


@pytest.fixture(scope="module")
def read() -> dict[DiagramType, Read]:
    """Return the parser's results for a diagram of each type, all from one process."""
    return dict(zip(DiagramType, read_back([("mermaid", mermaid(diagram(kind))) for kind in DiagramType]), strict=True))


@needs_node
@pytest.mark.parametrize("kind", DiagramType)
def test_mermaids_own_parser_reads_the_graph_with_every_label_as_it_was_written(
    kind: DiagramType, read: dict[DiagramType, Read]
) -> None:
    made, given = read[kind], diagram(kind)
    names = {node.id: f"n{number}" for number, node in enumerate(given.nodes)}
    assert made.get("error") is None
    assert [(node["id"], node["label"]) for node in _list(made, "nodes")] == [
        (names[node.id], f"{node.label}<br>({node.type})") for node in given.nodes
    ]
    assert [(edge["source"], edge["target"], edge["label"].strip("\u00a0")) for edge in _list(made, "edges")] == [
        (names[edge.source], names[edge.target], f"{edge.label} ({edge.protocol})" if edge.protocol else "")
        for edge in given.edges
    ]


def _list(read: Read, name: str) -> list[dict[str, str]]:
    found = read[name]
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize(
    ("kind", "first"),
    [
        (DiagramType.ARCHITECTURE, "flowchart TD"),
        (DiagramType.STATE, "flowchart TD"),
        (DiagramType.SEQUENCE, "sequenceDiagram"),
        (DiagramType.DATAFLOW, "flowchart LR"),
    ],
)
def test_each_type_runs_as_its_drawing_does(kind: DiagramType, first: str) -> None:
    assert mermaid(diagram(kind)).partition("\n")[0] == first
