"""Fewer bends: small moves of what already has its place."""

from collections.abc import Sequence
from typing import TypeAlias

from .layers import Item, Layers

Ends: TypeAlias = tuple[int, int]
"""Where a segment leaves its upper layer, and where it meets the lower one."""


def align(
    layers: Layers, starts: Sequence[list[int]], offsets: Sequence[Sequence[Ends]], between: int, room: int, down: bool
) -> None:
    """Moves what has one arrow on the side that is looked at right below or above its other end, if it is free to.

    What is straight on its other side stays, so that an arrow bends at a box rather than on its way.
    """
    side = 1 if down else 0
    for gap in range(len(offsets)) if down else range(len(offsets) - 1, -1, -1):
        at = gap + side
        items, own, other = layers.items[at], starts[at], starts[gap + 1 - side]
        for index, item in enumerate(items):
            mine = [number for number, segment in enumerate(layers.segments[gap]) if segment[side] == index]
            if len(mine) != 1 or _is_straight(layers, starts, offsets, gap + (1 if down else -1), index, 1 - side):
                continue
            segment, offset = layers.segments[gap][mine[0]], offsets[gap][mine[0]]
            goal = other[segment[1 - side]] + offset[1 - side] - offset[side]
            low = own[index - 1] + items[index - 1].breadth + between if index else 0
            high = own[index + 1] - between if index + 1 < len(own) else room
            if low <= goal <= high - item.breadth:
                own[index] = goal


def _is_straight(
    layers: Layers,
    starts: Sequence[Sequence[int]],
    offsets: Sequence[Sequence[Ends]],
    gap: int,
    index: int,
    side: int,
) -> bool:
    """Whether an arrow in the gap, that has the item at that side, would bend if the item moved."""
    return 0 <= gap < len(offsets) and any(
        segment[side] == index and starts[gap][segment[0]] + offset[0] == starts[gap + 1][segment[1]] + offset[1]
        for segment, offset in zip(layers.segments[gap], offsets[gap], strict=True)
    )


def straightened(
    layers: Layers, starts: Sequence[Sequence[int]], offsets: Sequence[Sequence[Ends]]
) -> list[list[Ends]]:
    """Where segments end, moved along the boxes where that makes an arrow straight."""
    ends = [
        [(starts[gap][s[0]] + o[0], starts[gap + 1][s[1]] + o[1]) for s, o in zip(found, offset, strict=True)]
        for gap, (found, offset) in enumerate(zip(layers.segments, offsets, strict=True))
    ]
    for gap, segments in enumerate(layers.segments):
        for number, segment in enumerate(segments):
            upper, lower = ends[gap][number]
            if upper == lower:
                continue
            for side, goal in ((0, lower), (1, upper)):
                index, at = segment[side], gap + side
                item, start = layers.items[at][index], starts[at][index]
                taken = [e[side] for n, e in enumerate(ends[gap]) if segments[n][side] == index and n != number]
                if item.port is None and _free(goal, ends[gap][number][side], taken, start, item):
                    ends[gap][number] = (goal, goal)
                    break
    return ends


def _free(goal: int, now: int, taken: Sequence[int], start: int, item: Item) -> bool:
    """Whether an end can move to the goal: on the box, past no other end, and not next to one."""
    low, high = min(goal, now) - 1, max(goal, now) + 1
    inside = start < goal < start + item.breadth - item.margin - 1
    return inside and not any(low <= other <= high for other in taken)
