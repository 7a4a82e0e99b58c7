"""Order of items within layers, with few crossings: sweeps by barycentres (Sugiyama, Tagawa and Toda, 1981)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, TypeAlias

SWEEPS: Final = 12

Link: TypeAlias = tuple[int, int]
"""An item of a layer, and an item of the next layer that it is connected with."""


def ordered(sizes: Sequence[int], links: Sequence[Sequence[Link]]) -> list[list[int]]:
    """Return the order of the items of each layer, from left to right.

    Args:
        sizes: The number of items per layer.
        links: For each layer, its links to the next.
    """
    orders = [list(range(size)) for size in sizes]
    best, fewest = [list(order) for order in orders], crossings(orders, links)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for at in range(1, len(orders)) if down else range(len(orders) - 2, -1, -1):
            near = [(lower, upper) for upper, lower in links[at - 1]] if down else links[at]
            orders[at] = _sorted(orders[at], orders[at - 1 if down else at + 1], near)
        found = crossings(orders, links)
        if found < fewest:
            best, fewest = [list(order) for order in orders], found
    return best


def _sorted(own: Sequence[int], other: Sequence[int], links: Sequence[Link]) -> list[int]:
    """Sort items by the mean place of their connected items. Items without any count by their own place."""
    there = {item: place for place, item in enumerate(other)}
    met: dict[int, list[int]] = {}
    for here, linked in links:
        met.setdefault(here, []).append(there[linked])
    wish = {item: sum(met[item]) / len(met[item]) if item in met else place for place, item in enumerate(own)}
    return sorted(own, key=lambda item: wish[item])


def crossings(orders: Sequence[Sequence[int]], links: Sequence[Sequence[Link]]) -> int:
    """Return the number of pairs of links that cross."""
    count = 0
    for (above, below), found in zip(pairwise(orders), links, strict=True):
        up = {item: place for place, item in enumerate(above)}
        low = {item: place for place, item in enumerate(below)}
        ends = sorted((up[upper], low[lower]) for upper, lower in found)
        for number, (upper, lower) in enumerate(ends):
            count += sum(1 for other, end in ends[number + 1 :] if other > upper and end < lower)
    return count
