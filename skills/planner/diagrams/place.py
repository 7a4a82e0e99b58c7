"""Where the items of layers stand along them, so that arrows are as straight as the room allows."""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from .layers import Item, Layers, Segment
from .straight import Ends, Straightening

SWEEPS: Final = 24
STRAIGHT: Final = 8
"""How much more a straight arrow between two layers counts where it only passes through both."""


@frozen
class Places:
    """Where each item begins, by layer, and where each segment begins and ends."""

    starts: tuple[tuple[int, ...], ...]
    ends: tuple[tuple[Ends, ...], ...]


def placed(layers: Layers, between: int, room: int) -> Places:
    """The places of all items, at least so far apart, from 0; within the room where each layer fits in it."""
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
    """Where on its upper and on its lower item each segment ends: in the order of the items at their other ends."""
    found: list[list[Ends]] = []
    for gap, segments in enumerate(layers.segments):
        sides = (_side(layers.items[gap], segments, 0), _side(layers.items[gap + 1], segments, 1))
        found.append(list(zip(*sides, strict=True)))
    return found


def _side(items: Sequence[Item], segments: Sequence[Segment], side: int) -> list[int]:
    """The place on its item of each segment's end at that side."""
    made = [0] * len(segments)
    for index, item in enumerate(items):
        own = [number for number, segment in enumerate(segments) if segment[side] == index]
        own.sort(key=lambda number: (segments[number][1 - side], segments[number][2]))
        for order, number in enumerate(own):
            room = item.breadth - item.margin - 2
            made[number] = 1 + (2 * order + 1) * room // (2 * len(own)) if item.port is None else item.port
    return made


class _Wish:
    """Where an item would stand if it were alone: the mean of what its arrows ask for."""

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
    """Places in this order and as close to the desired ones as can be (least squares, pooling adjacent violators)."""
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
