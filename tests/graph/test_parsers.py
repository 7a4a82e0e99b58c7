"""Mermaid and Graphviz read a drawing as its original graph, for any texts."""

from collections.abc import Callable, Iterable, Mapping

from lib.workflow.ast.prose import Look
from lib.workflow.graph.data import Graph
from lib.workflow.graph.dot import dot
from lib.workflow.graph.drawing import arrows, groups
from lib.workflow.graph.mermaid import mermaid
from tests.drawings import needs_node, read_back
from tests.graph.subjects import GRAPHS

Joined = Callable[[Iterable[str]], str]
MERMAID = {Look.STEP: "square", Look.GATE: "hexagon", Look.DISPATCH: "subroutine", Look.TERMINAL: "stadium"}
DOT = {Look.STEP: "box", Look.GATE: "hexagon", Look.DISPATCH: "box 2", Look.TERMINAL: "oval"}


def meant(
    graph: Graph, joined: Joined, shapes: Mapping[Look, str], styles: tuple[str, str]
) -> dict[str, list[dict[str, object]]]:
    """Return the expected result of a parser for a drawing, with labels joined its way."""
    every = list(groups(graph))
    return {
        "nodes": [
            {"id": box.name, "shape": shapes[box.look], "label": joined(box.lines)}
            for _, inner in every
            for box in inner
        ],
        "edges": [
            {"source": arrow.source, "target": arrow.target, "style": styles[arrow.back], "label": joined(arrow.lines)}
            for arrow in arrows(graph)
        ],
        "groups": [
            {"label": joined([phase]), "nodes": sorted(box.name for box in inner)} for phase, inner in every if phase
        ],
    }


def without_blanks(lines: Iterable[str]) -> str:
    """Return labels without blanks, because labels for Graphviz are wrapped anywhere between words."""
    return "".join("".join(lines).split())


def in_order(rows: object) -> list[dict[str, object]]:
    """Return the rows, sorted, their labels without blanks, because Graphviz has its own order."""
    assert isinstance(rows, list)
    return sorted(({**row, "label": without_blanks(row["label"])} for row in rows), key=str)


@needs_node
def test_mermaid_reads_the_boxes_and_arrows_that_were_drawn() -> None:
    for graph, read in zip(GRAPHS, read_back(("mermaid", mermaid(graph)) for graph in GRAPHS), strict=True):
        expected = meant(graph, "<br>".join, MERMAID, ("normal", "dotted"))
        assert read == {"type": "flowchart-v2", **expected}, mermaid(graph)


@needs_node
def test_graphviz_draws_the_boxes_and_arrows_that_were_meant() -> None:
    for graph, read in zip(GRAPHS, read_back(("dot", dot(graph)) for graph in GRAPHS), strict=True):
        for key, rows in meant(graph, without_blanks, DOT, ("", "dashed")).items():
            assert in_order(read[key]) == in_order(rows), dot(graph)


@needs_node
def test_parsers_refuse_malformed_drawings() -> None:
    refused = read_back(
        [("mermaid", "flowchart TD\n a -->"), ("mermaid", "x"), ("dot", "digraph { a -> "), ("pdf", "")]
    )
    assert all(set(read) == {"error"} for read in refused)
