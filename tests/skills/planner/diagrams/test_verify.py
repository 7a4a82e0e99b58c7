"""Drawings made by hand, and those that a change of the graph makes stale."""

import pytest
from attrs import evolve

from skills.planner.diagrams.check import undesigned, undrawn
from skills.planner.diagrams.verify import faults
from skills.planner.schema.plan.diagram import Diagram, DiagramEdge, DiagramNode, DiagramType, succeeding
from tests.wording import carries

from .graphs import graph

TWO = graph(DiagramType.ARCHITECTURE, "w1=w1 w10=w10", "w1 w10 feeds")
BY_HAND = """\
+----+  feeds  +-----+
| w1 | ------> | w10 |
+----+         +-----+"""
CACHE = graph(DiagramType.ARCHITECTURE, "a=Cache_(L1) b=Cache", "a b fills (all)", "b a Cache hits")

GOOD = [
    (TWO, BY_HAND),
    (
        TWO,
        "+------+\n| w1   |--feeds--+\n+------+         v\n              +-----+\n              | w10 |\n              +-----+",
    ),
    (
        TWO,
        "+-----------+\n| +--+      |\n| |w1|feeds |\n| +--+  v   |\n|   +---v-+ |\n|   | w10 | |\n|   +-----+ |\n+-----------+",
    ),
    (
        CACHE,
        "+----------+           +-----+\n|Cache (L1)| --------> |Cache|\n+----------+ fills     +-----+\n             (all)        |\n     ^-----(Cache hits)---+",
    ),
    (
        graph(DiagramType.STATE, "a=Waits_for_the_lock"),
        "+--------------+\n|  Waits for   |\n|   the lock   |\n+--------------+",
    ),
    (graph(DiagramType.STATE, "a=数据库"), "+--------+\n| 数据库 |\n+--------+"),
    (graph(DiagramType.STATE, "a=a|b"), "+-----+\n| a|b |\n+-----+"),
]


@pytest.mark.parametrize(("diagram", "drawing"), GOOD)
def test_a_drawing_by_hand_is_taken_if_it_shows_the_graph(diagram: Diagram, drawing: str) -> None:
    assert faults(diagram, drawing) == ()


BAD = [
    ("| w1 |", "| w2 |", "node w1", "w10 does not show w1"),
    (" w10 ", " w1x ", "node w10", "a word begins alike"),
    ("feeds", "foods", "edge w1 -> w10", "another label"),
    ("feeds", "     ", "edge w1 -> w10", "no label"),
    ("+----+  ", "+---+   ", "line 1, column 6", "a corner too far left"),
    ("| w1 |", "| w1  |", "line 1, column 7", "a side too far right"),
    ("+----+         +-----+", "+----+         +-- --+", "line 3, column 19", "a hole in the border"),
    ("| w10 |", "| w10  ", "column", "a side is missing"),
    ("------> ", "-\t---> ", "line 2, column 9", "a tab"),
    ("+-----+\n", "+─────+\n", "line 1, column 17", "lines that are no ASCII"),
    ("------> | w10 |", "------> | w10 |" + " " * 60 + "<", "line 2, column 81", "a line of 83 columns"),
    ("feeds", "feeds \u200b", "line 1, column 15", "a character without width"),
]


@pytest.mark.parametrize(("old", "new", "said"), [row[:3] for row in BAD], ids=[row[3] for row in BAD])
def test_a_drawing_that_does_not_is_refused_with_the_place(old: str, new: str, said: str) -> None:
    assert old in BY_HAND
    found = faults(TWO, BY_HAND.replace(old, new, 1))
    assert [fault for fault in found if said in fault.message], found
    assert all(fault.id == "DIAG-001" and fault.field == "ascii_render" and fault.fix for fault in found)


def test_a_label_is_not_shown_by_a_longer_one_that_begins_with_it() -> None:
    diagram = graph(DiagramType.STATE, "a=Cache b=Cache_hits", "a b")
    (fault,) = faults(diagram, "+------------+\n| Cache hits |\n+------------+")
    assert carries(fault.message, "node a: … 'Cache'")


def test_each_of_two_edges_with_one_label_has_its_own() -> None:
    diagram = graph(DiagramType.STATE, "a=A b=B", "a b reads", "b a reads")
    drawing = "+---+ reads +---+\n| A |<----->| B |\n+---+       +---+"
    assert len(faults(diagram, drawing)) == 1
    assert faults(diagram, drawing + "\n      reads") == ()


def test_oversized_drawing_gives_one_finding() -> None:
    assert len(faults(TWO, "\n" * 100_000)) == 1


def test_many_equal_words_are_sought_in_a_moment() -> None:
    diagram = graph(DiagramType.STATE, "a=" + "_".join("a" * 40) + "_b")
    assert len(faults(diagram, "\n".join([" ".join("a" * 20)] * 20))) == 1


DRAWN = evolve(TWO, ascii_render=BY_HAND)
THIRD = DiagramNode(id="c", label="C")
CHANGES = [
    evolve(DRAWN, nodes=(*DRAWN.nodes, THIRD)),
    evolve(DRAWN, edges=()),
    evolve(DRAWN, edges=(DiagramEdge(source="w10", target="w1", label="feeds"),)),
    evolve(DRAWN, type=DiagramType.STATE),
]


@pytest.mark.parametrize("after", CHANGES, ids=["a node more", "an edge less", "an edge turned", "another type"])
def test_a_drawing_does_not_outlive_the_graph_that_it_shows(after: Diagram) -> None:
    changed = succeeding(after, DRAWN)
    assert changed.ascii_render is None
    assert [finding.field for finding in undrawn(changed)] == ["ascii_render"]


@pytest.mark.parametrize("after", [evolve(DRAWN, title="Other"), evolve(DRAWN, ascii_render="x", nodes=(THIRD,))])
def test_a_change_beside_the_graph_or_with_a_new_drawing_keeps_the_drawing(after: Diagram) -> None:
    assert succeeding(after, DRAWN) == after


def test_a_kept_drawing_is_checked_again() -> None:
    assert list(undrawn(DRAWN)) == []
    assert list(undrawn(evolve(DRAWN, nodes=(*DRAWN.nodes, THIRD)))) != []


DESIGNS = [
    (TWO, []),
    (graph(DiagramType.STATE, ""), ["nodes"]),
    (graph(DiagramType.STATE, "a=A b=B c=C", "a b"), ["nodes"]),
    (graph(DiagramType.STATE, "a=\u05d0 b=B", "a b \u200d"), ["nodes", "edges"]),
]


@pytest.mark.parametrize(("diagram", "fields"), DESIGNS, ids=["whole", "empty", "an orphan", "no certain width"])
def test_a_design_is_done_when_every_node_takes_part_and_can_be_drawn(diagram: Diagram, fields: list[str]) -> None:
    assert [finding.field for finding in undesigned(diagram)] == fields
