"""The routes of arrows between two layers."""

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from skills.planner.diagrams.layout.route import Way, routed
from skills.planner.diagrams.layout.straight import Ends

PLACES = st.lists(st.integers(0, 12), max_size=8, unique=True)
ENDS = st.tuples(PLACES, PLACES).map(lambda pair: list(zip(*pair, strict=False)))


def cells(ends: Ends, way: Way, tracks: int) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return the cells, by track and place, of the line's way down, and those of its way along a track."""
    points = [(-1, ends[0]), *way, (tracks, ends[1])]
    assert all(before[0] == after[0] or before[1] == after[1] for before, after in pairwise(points))
    assert all(before[0] <= after[0] for before, after in pairwise(points))
    down, along = set[tuple[int, int]](), set[tuple[int, int]]()
    for (upper, left), (lower, right) in pairwise(points):
        covered = {
            (track, place)
            for track in range(upper, lower + 1)
            for place in range(min(left, right), max(left, right) + 1)
        }
        (along if upper == lower else down).update(covered)
    return down, along


@given(ENDS)
def test_routes_share_only_crossings(ends: list[Ends]) -> None:
    ways, tracks = routed(ends)
    lines = [cells(pair, way, tracks) for pair, way in zip(ends, ways, strict=True)]
    for kind in (0, 1):
        assert max(Counter(cell for line in lines for cell in line[kind]).values(), default=0) <= 1
    bends = Counter(point for way in ways for point in way)
    others = [cell for line in lines for cell in line[0] | line[1]]
    assert all(Counter(others)[point] == 1 for point in bends)


def test_routes_that_swap_places_do_not_collide() -> None:
    ways, tracks = routed([(3, 7), (7, 3)])
    assert sorted(map(len, ways)) == [2, 4]
    assert tracks == 3


def test_straight_route_takes_no_track() -> None:
    assert routed([(3, 3), (5, 5)]) == (((), ()), 0)
