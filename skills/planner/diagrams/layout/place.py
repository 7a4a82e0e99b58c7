"""Positions of items along their layers, which make arrows as straight as the room allows."""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from .layers import Item, Layers, Segment
from .straight import Ends, Straightening

SWEEPS: Final = 24
STRAIGHT: Final = 8
"""The weight of a straight arrow that passes through both layers, relative to any other."""


@frozen
class Places:
    """The start of each item, by layer, and both ends of each segment."""

    starts: tuple[tuple[int, ...], ...]
    ends: tuple[tuple[Ends, ...], ...]


def placed(layers: Layers, between: int, room: int) -> Places:
    """Return the places of all items, from 0 and at least `between` apart, within the room if each layer fits."""
    offsets = _ports(layers)
    starts = [_packed(items, [0.0] * len(items), [1.0] * len(items), between, room) for items in layers.items]
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        order = range(len(starts)) if down else range(len(starts) - 1, -1, -1)
        both = sweep >= SWEEPS // 2
        for at in order:
            near = [at - 1, at] if both else [at - 1] if down else [at]
            wishes = [_Wish() for _ in layers.items[at]]
            for gap in near:
                if 0 <= gap < len(layers.segments):
                    _wish(layers, starts, offsets, gap, at, wishes)
            own = starts[at]
            desired = [wish.mean(own[item]) for item, wish in enumerate(wishes)]
            starts[at] = _packed(layers.items[at], desired, [wish.weight or 0.01 for wish in wishes], between, room)
    first = min(map(min, starts))
    starts = [[start - first for start in own] for own in starts]
    tidy = Straightening(layers, starts, offsets, between, room)
    tidy.align(down=True)
    tidy.align(down=False)
    tidy.slide()
    return Places(tuple(map(tuple, starts)), tuple(map(tuple, tidy.ends())))


def _ports(layers: Layers) -> list[list[Ends]]:
    """Return the ends of each segment on its upper and lower item, ordered by the items at their other ends."""
    found: list[list[Ends]] = []
    for gap, segments in enumerate(layers.segments):
        sides = (_side(layers.items[gap], segments, 0), _side(layers.items[gap + 1], segments, 1))
        found.append(list(zip(*sides, strict=True)))
    return found


def _side(items: Sequence[Item], segments: Sequence[Segment], side: int) -> list[int]:
    """Return the position of each segment's end on its item at that side."""
    made = [0] * len(segments)
    for index, item in enumerate(items):
        own = [number for number, segment in enumerate(segments) if segment[side] == index]
        own.sort(key=lambda number: (segments[number][1 - side], segments[number][2]))
        for order, number in enumerate(own):
            room = item.breadth - item.margin - 2
            made[number] = 1 + (2 * order + 1) * room // (2 * len(own)) if item.port is None else item.port
    return made


class _Wish:
    """The position that an item would take alone: the weighted mean of its arrows' wishes."""

    __slots__ = ("total", "weight")

    def __init__(self) -> None:
        self.total = self.weight = 0.0

    def add(self, place: float, weight: float) -> None:
        self.total += place * weight
        self.weight += weight

    def mean(self, otherwise: float) -> float:
        return self.total / self.weight if self.weight else otherwise


def _wish(
    layers: Layers,
    starts: Sequence[Sequence[int]],
    offsets: Sequence[Sequence[Ends]],
    gap: int,
    at: int,
    wishes: Sequence[_Wish],
) -> None:
    side = 0 if gap == at else 1
    other = gap + 1 if gap == at else gap
    for segment, offset in zip(layers.segments[gap], offsets[gap], strict=True):
        here, there = segment[side], segment[1 - side]
        passing = layers.items[at][here].port is not None and layers.items[other][there].port is not None
        wishes[here].add(starts[other][there] + offset[1 - side] - offset[side], STRAIGHT if passing else 1)


def _packed(
    items: Sequence[Item], desired: Sequence[float], weights: Sequence[float], between: int, room: int
) -> list[int]:
    """Return places in this order, close to the desired ones (least squares, pooling adjacent violators)."""
    blocks: list[tuple[float, float, int]] = []
    shift = 0
    shifts: list[int] = []
    for item, wish, weight in zip(items, desired, weights, strict=True):
        shifts.append(shift)
        mean, total, count = wish - shift, weight, 1
        while blocks and blocks[-1][0] > mean:
            before, heft, number = blocks.pop()
            mean = (before * heft + mean * total) / (heft + total)
            total, count = heft + total, number + count
        blocks.append((mean, total, count))
        shift += item.breadth + between
    most = max(room + between - shift, 0)
    means = [min(max(mean, 0), most) for mean, _, count in blocks for _ in range(count)]
    return [round(mean) + shift for mean, shift in zip(means, shifts, strict=True)]
