"""Fewer bends: small moves of items that are already placed."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from .layers import Layers

Ends: TypeAlias = tuple[int, int]
"""The position at which a segment leaves its upper layer, and the one at which it meets the lower layer."""


class Straightening:
    """Items with their places, which it changes: `starts` by layer; `offsets`, by gap, of segments' ends on items."""

    def __init__(
        self,
        layers: Layers,
        starts: Sequence[list[int]],
        offsets: Sequence[Sequence[Ends]],
        between: int,
        room: int,
    ) -> None:
        self.layers: Final = layers
        self.starts: Final = starts
        self.offsets: Final = offsets
        self.between: Final = between
        self.room: Final = room

    def align(self, down: bool) -> None:
        """Move each free item with one arrow on that side in line with the arrow's other end.

        Items that are straight on their other side stay, so that arrows bend at boxes rather than on their way.
        """
        side = 1 if down else 0
        for gap in range(len(self.offsets)) if down else range(len(self.offsets) - 1, -1, -1):
            beyond = gap + (1 if down else -1)
            for index in range(len(self.starts[gap + side])):
                mine = self._segments(gap, index, side)
                held = any(self._bend(beyond, number) == 0 for number in self._segments(beyond, index, 1 - side))
                if len(mine) == 1 and not held:
                    bend = self._bend(gap, mine[0])
                    self._shift([(gap + side, index)], bend if down else -bend)

    def slide(self) -> None:
        """Move each chain of items that is straight below a bend to where the bend leads."""
        for gap, segments in enumerate(self.layers.segments):
            for number, (_, lower, _) in enumerate(segments):
                bend = self._bend(gap, number)
                chain = self._chain(gap + 1, lower) if bend else []
                if chain:
                    self._shift(chain, bend)

    def ends(self) -> list[list[Ends]]:
        """Return the ends of segments, moved along the boxes if that makes an arrow straight."""
        made = [
            [(self._end(gap, number, 0), self._end(gap, number, 1)) for number in range(len(segments))]
            for gap, segments in enumerate(self.layers.segments)
        ]
        for gap, segments in enumerate(self.layers.segments):
            for number, segment in enumerate(segments):
                ends = made[gap][number]
                for side in (0, 1) if ends[0] != ends[1] else ():
                    taken = [made[gap][n][side] for n in self._segments(gap, segment[side], side) if n != number]
                    if self._reaches(gap + side, segment[side], ends[side], ends[1 - side], taken):
                        made[gap][number] = (ends[1 - side], ends[1 - side])
                        break
        return made

    def _segments(self, gap: int, index: int, side: int) -> list[int]:
        """Return the numbers of the segments in the gap that have the item at that side."""
        found = self.layers.segments[gap] if 0 <= gap < len(self.offsets) else ()
        return [number for number, segment in enumerate(found) if segment[side] == index]

    def _end(self, gap: int, number: int, side: int) -> int:
        return self.starts[gap + side][self.layers.segments[gap][number][side]] + self.offsets[gap][number][side]

    def _bend(self, gap: int, number: int) -> int:
        """Return the distance that the segment's lower end must move to be right below its upper end."""
        return self._end(gap, number, 0) - self._end(gap, number, 1)

    def _chain(self, at: int, index: int) -> list[tuple[int, int]]:
        """Return the item and all items straight below it; empty if other arrows hold one of them."""
        chain: list[tuple[int, int]] = []
        while len(self._segments(at - 1, index, 1)) == 1:
            chain.append((at, index))
            below = self._segments(at, index, 0)
            if not any(self._bend(at, number) == 0 for number in below):
                return chain
            if len(below) > 1:
                break
            at, index = at + 1, self.layers.segments[at][below[0]][1]
        return []

    def _shift(self, chain: Sequence[tuple[int, int]], by: int) -> None:
        """Move the items, if each has the room."""
        for at, index in chain:
            items, own = self.layers.items[at], self.starts[at]
            low = own[index - 1] + items[index - 1].breadth + self.between if index else 0
            high = own[index + 1] - self.between if index + 1 < len(own) else self.room
            if not low <= own[index] + by <= high - items[index].breadth:
                return
        for at, index in chain:
            self.starts[at][index] += by

    def _reaches(self, at: int, index: int, now: int, goal: int, taken: Sequence[int]) -> bool:
        """Return True if an end can move to the goal: along its box, past no other end, and not next to one."""
        item, start = self.layers.items[at][index], self.starts[at][index]
        low, high = min(goal, now) - 1, max(goal, now) + 1
        inside = item.port is None and start < goal < start + item.breadth - item.margin - 1
        return inside and not any(low <= other <= high for other in taken)
