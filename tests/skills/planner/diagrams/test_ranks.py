"""Arrows that lead back: without them there are no cycles."""

from graphlib import TopologicalSorter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills.planner.diagrams.layout.ranks import backward

Arrows = list[tuple[int, int]]
NODES = 6
ARROWS = st.lists(st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)).filter(lambda a: a[0] != a[1]))


def is_acyclic(arrows: Arrows) -> bool:
    graph: dict[int, set[int]] = {}
    for source, target in arrows:
        graph.setdefault(source, set()).add(target)
    return bool(tuple(TopologicalSorter(graph).static_order())) or not arrows


@given(ARROWS)
def test_reversing_the_back_edges_leaves_no_cycle(arrows: Arrows) -> None:
    found = backward(NODES, arrows)
    assert is_acyclic([(b, a) if number in found else (a, b) for number, (a, b) in enumerate(arrows)])


@pytest.mark.parametrize(
    ("arrows", "leading_back"),
    [
        ([(0, 1), (2, 0), (2, 1), (2, 3), (3, 2)], {4}),
        ([(0, 1), (1, 2)], set()),
        ([(0, 1), (1, 0)], {1}),
    ],
)
def test_only_arrows_that_close_a_cycle_lead_back(arrows: Arrows, leading_back: set[int]) -> None:
    assert backward(4, arrows) == leading_back
