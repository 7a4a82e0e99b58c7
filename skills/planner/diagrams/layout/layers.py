"""A graph in layers, every arrow from one to the next.

Labels of arrows are items in layers of their own (Gansner et al., "A Technique for Drawing Directed Graphs", 1993).
This reserves room for each label, and labels that are too wide side by side go one below the other.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TypeAlias

from attrs import evolve, frozen

from .order import ordered
from .ranks import GAP, backward, ranks


@frozen
class Item:
    """An object that takes room in a layer: a node's box, an arrow's label, or an arrow that passes."""

    breadth: int
    """The extent along the layer: columns if the graph goes down, rows if it goes right."""
    length: int
    """The extent across the layer."""
    port: int | None = None
    """The position along the breadth at which the arrow passes; None for a node, which has a position per arrow."""
    margin: int = 0
    """The part of the breadth, at its end, that is outside the node's box."""
    number: int = 0
    """The number of the node or of the arrow."""


@frozen
class Arrow:
    """An arrow from one node to another, by their numbers, with the room of its label if it has one."""

    source: int
    target: int
    label: Item | None = None


Segment: TypeAlias = tuple[int, int, int]
"""The place of an item in its layer, that of an item in the next, and the number of the arrow that joins them."""


@frozen
class Layers:
    """The items of each layer in their order, and the segments of arrows between each two layers."""

    items: tuple[tuple[Item, ...], ...]
    segments: tuple[tuple[Segment, ...], ...]
    upward: frozenset[int]
    """The arrows that run against the layers' order."""


def layered(nodes: Sequence[Item], arrows: Sequence[Arrow], room: int) -> Layers:
    """Return the nodes and arrows in layers that are, as estimated before placement, no broader than the room.

    No arrow may lead from a node to itself.
    """
    upward = backward(len(nodes), [(arrow.source, arrow.target) for arrow in arrows])
    downs = [(a.target, a.source) if n in upward else (a.source, a.target) for n, a in enumerate(arrows)]
    boxes = [_with_ports(node, number, downs) for number, node in enumerate(nodes)]
    rank = ranks([box.breadth for box in boxes], downs, room)
    gaps: list[list[int]] = [[] for _ in range(max(rank, default=0))]
    """The used breadth of each layer of labels, for each gap between two ranks."""
    passing = [GAP * sum(1 for u, low in downs if rank[u] <= gap < rank[low]) for gap in range(len(gaps))]
    labels = [
        _label_place(gaps, range(rank[upper], rank[lower]), arrow.label.breadth, passing, room) if arrow.label else None
        for arrow, (upper, lower) in zip(arrows, downs, strict=True)
    ]
    begins = [0, *accumulate(1 + len(gap) for gap in gaps)]
    items: list[list[Item]] = [[] for _ in range(begins[-1] + 1)]
    segments: list[list[Segment]] = [[] for _ in range(begins[-1])]
    places = [_append(items[begins[rank[box.number]]], box) for box in boxes]
    for number, (upper, lower) in enumerate(downs):
        label_at = _layer_of(labels[number], begins)
        place, first, last = places[upper], begins[rank[upper]], begins[rank[lower]]
        for at in range(first + 1, last):
            label = arrows[number].label if at == label_at else None
            before, place = place, _append(items[at], evolve(label or Item(1, 0, 0), number=number))
            segments[at - 1].append((before, place, number))
        segments[last - 1].append((place, places[lower], number))
    return _in_order(items, segments, upward)


def _layer_of(place: tuple[int, int] | None, begins: Sequence[int]) -> int | None:
    """Return the layer of a place in a gap, or None for no place."""
    return None if place is None else begins[place[0]] + 1 + place[1]


def _append(items: list[Item], item: Item) -> int:
    """Append the item and return its place."""
    items.append(item)
    return len(items) - 1


def _with_ports(node: Item, number: int, downs: Sequence[tuple[int, int]]) -> Item:
    """Return the node, broad enough for a separate port for each arrow on either side, with one cell in between."""
    busiest = max(sum(1 for down in downs if down[side] == number) for side in (0, 1))
    return evolve(node, breadth=max(node.breadth, 2 * busiest + 1 + node.margin), number=number)


def _label_place(
    gaps: list[list[int]], between: Sequence[int], breadth: int, passing: Sequence[int], room: int
) -> tuple[int, int]:
    """Return the least full gap and layer of labels between two ranks, or a new layer if all are full.

    The arrows that pass the gap determine how full a new layer is.
    """
    places = [(used, gap, layer) for gap in between for layer, used in enumerate(gaps[gap])]
    used, gap, layer = min(places, default=(room, 0, 0))
    if used + breadth > room:
        gap = min(between, key=lambda at: len(gaps[at]))
        layer = len(gaps[gap])
        gaps[gap].append(passing[gap])
    gaps[gap][layer] += breadth
    return gap, layer


def _in_order(items: Sequence[Sequence[Item]], segments: Sequence[Sequence[Segment]], upward: frozenset[int]) -> Layers:
    """Return the layers, with their items in an order with few crossings."""
    links = [[(upper, lower) for upper, lower, _ in found] for found in segments]
    orders = ordered([len(layer) for layer in items], links)
    places = [{item: place for place, item in enumerate(order)} for order in orders]
    return Layers(
        tuple(tuple(layer[item] for item in order) for layer, order in zip(items, orders, strict=True)),
        tuple(
            tuple((up[upper], low[lower], number) for upper, lower, number in found)
            for (up, low), found in zip(pairwise(places), segments, strict=True)
        ),
        upward,
    )
