"""Diagrams as ASCII."""

import pytest
from attrs import evolve
from hypothesis import given, settings

from skills.planner.diagrams.check import undrawn
from skills.planner.diagrams.draw import LARGEST, draw
from skills.planner.diagrams.flow import flow
from skills.planner.diagrams.layout.sizes import WIDTH, Style
from skills.planner.diagrams.listing import listing
from skills.planner.diagrams.text import columns
from skills.planner.diagrams.verify import faults
from skills.planner.schema.plan.diagram import Diagram, DiagramNode, DiagramType

from .graphs import graph, graphs
from .reading import arrows

ARCHITECTURE, STATE, SEQUENCE, DATAFLOW = (
    DiagramType.ARCHITECTURE,
    DiagramType.STATE,
    DiagramType.SEQUENCE,
    DiagramType.DATAFLOW,
)
DOWN = (ARCHITECTURE, STATE)


@settings(max_examples=40, deadline=None)
@given(graphs())
def test_a_drawing_shows_every_label_in_closed_boxes_within_80_columns(diagram: Diagram) -> None:
    drawing = draw(diagram)
    assert faults(diagram, drawing) == ()
    assert max(map(columns, drawing.split("\n"))) <= WIDTH
    assert drawing == draw(diagram)


@settings(max_examples=80, deadline=None)
@given(graphs(DOWN))
def test_every_edge_can_be_traced_with_its_direction_and_label(diagram: Diagram) -> None:
    drawing = str(flow(diagram, Style(down=True, node=20, edge=16, room=80)))
    expected = sorted((edge.source, edge.target, edge.label.partition(" ")[0]) for edge in diagram.edges)
    assert arrows(drawing, [node.id for node in diagram.nodes]) == expected


@settings(max_examples=40, deadline=None)
@given(graphs((DATAFLOW,), most=5))
def test_drawing_to_the_right_has_every_arrowhead_and_label(diagram: Diagram) -> None:
    edges = tuple(edge for edge in diagram.edges if edge.source != edge.target and "-->" not in edge.label)
    graph = Diagram(id="DIAG-001", type=DATAFLOW, scope="overview", title="t", nodes=diagram.nodes, edges=edges)
    canvas = flow(graph, Style(down=False, node=20, edge=16, room=80))
    assert [found for found in faults(graph, str(canvas)) if "columns" not in found.message] == []
    heads = str(canvas).count(">|") + str(canvas).count("|<")
    assert heads == len(edges)


@settings(max_examples=40, deadline=None)
@given(graphs())
def test_a_list_fits_any_graph_and_shows_every_label(diagram: Diagram) -> None:
    canvas = listing(diagram, WIDTH)
    assert canvas.width <= WIDTH
    assert faults(diagram, str(canvas)) == ()


DRAWINGS = [
    (
        graph(ARCHITECTURE, "a=CLI b=gRPC_Server", "a b asks", "b a", "b b retries"),
        """\
    +-----+
    | CLI |
    +-----+
      | ^
      | +--+
   +--+    |
   | asks  |
   v       |
+-------------+
| gRPC Server |--+ retries
|             |<-+
+-------------+""",
    ),
    (
        graph(STATE, "i=Idle r=Running f=Failed", "i r start", "r f too many errors", "f i reset"),
        """\
          +------+
          | Idle |
          +------+
            |  ^
        +---+  +---+
        | start    | reset
        v          |
   +---------+     |
   | Running |     |
   +---------+     |
        |          |
+-------+          |
| too many errors  |
+------+   +-------+
       v   |
    +--------+
    | Failed |
    +--------+""",
    ),
    (
        graph(DATAFLOW, "a=Files b=Parse c=Store", "a b lines", "b c rows"),
        """\
+-------+            +-------+           +-------+
| Files |-- lines -->| Parse |-- rows -->| Store |
+-------+            +-------+           +-------+""",
    ),
    (
        graph(SEQUENCE, "a=Client b=API c=Auth", "a b POST /login", "b c checks", "b b caches", "c a token"),
        """\
+--------+       +-----+     +------+
| Client |       | API |     | Auth |
+--------+       +-----+     +------+
     |              |            |
     | POST /login  |            |
     |------------->|            |
     |              |            |
     |              | checks     |
     |              |----------->|
     |              |            |
     |              |--+ caches  |
     |              |<-+         |
     |              |            |
     | token        |            |
     |<--------------------------|
     |              |            |""",
    ),
    (graph(ARCHITECTURE, "a=One b=Two"), "+-----+   +-----+\n| One |   | Two |\n+-----+   +-----+"),
]


@pytest.mark.parametrize(
    ("diagram", "drawing"), DRAWINGS, ids=["architecture", "state", "dataflow", "sequence", "apart"]
)
def test_the_drawing_of_each_type(diagram: Diagram, drawing: str) -> None:
    assert draw(diagram) == drawing


def test_nodes_too_wide_side_by_side_are_stacked() -> None:
    star = graph(
        ARCHITECTURE,
        "hub=Hub " + " ".join(f"n{n}=Receiver_{n}" for n in range(9)),
        *(f"hub n{n} sends {n}" for n in range(9)),
    )
    drawing = draw(star)
    assert drawing != str(listing(star, WIDTH))
    assert faults(star, drawing) == ()


def test_a_graph_that_cannot_fit_becomes_a_list() -> None:
    wide = graph(SEQUENCE, " ".join(f"n{n}=Participant{n}" for n in range(9)), "n0 n8 says hello")
    assert draw(wide) == str(listing(wide, WIDTH))


def test_graph_too_large_to_draw_becomes_a_list() -> None:
    large = graph(ARCHITECTURE, " ".join(f"n{n}=N{n}" for n in range(LARGEST + 1)))
    assert draw(large) == str(listing(large, WIDTH))


def test_label_of_ambiguous_width_is_refused_with_its_character() -> None:
    node = DiagramNode(id="a", label="\U0001f469\u200d\U0001f4bb developer")
    with pytest.raises(ValueError, match="200D"):
        draw(Diagram(id="DIAG-001", scope="overview", title="t", nodes=(node,)))


BROKEN = [graph(STATE, "a=A", "a b"), graph(STATE, "a=A a=B")]


@pytest.mark.parametrize("diagram", BROKEN, ids=["an edge to nowhere", "an id twice"])
def test_malformed_graph_is_not_drawn(diagram: Diagram) -> None:
    with pytest.raises(ValueError, match="DIAG-001:"):
        draw(diagram)


def test_the_drawing_of_a_graph_is_not_stale() -> None:
    diagram = graph(DATAFLOW, "a=One b=Two", "a b feeds")
    assert list(undrawn(evolve(diagram, ascii_render=draw(diagram)))) == []
