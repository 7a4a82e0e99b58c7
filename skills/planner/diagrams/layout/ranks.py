"""Arrows that lead back, and the rank of each node."""

from collections.abc import Sequence
from typing import Final

GAP: Final = 3
"""Columns or rows between two neighbours, for the estimate of how full a rank is."""


def backward(count: int, arrows: Sequence[tuple[int, int]]) -> frozenset[int]:
    """Return the arrows that close a cycle in a walk over the nodes, which starts at nodes without incoming arrows."""
    leaving: list[list[int]] = [[] for _ in range(count)]
    entered = [False] * count
    for number, (source, target) in enumerate(arrows):
        leaving[source].append(number)
        entered[target] = True
    found, open_, done = set[int](), set[int](), set[int]()
    for root in sorted(range(count), key=lambda node: entered[node]):
        if root in done:
            continue
        stack = [(root, iter(leaving[root]))]
        open_.add(root)
        while stack:
            node, rest = stack[-1]
            arrow = next(rest, None)
            if arrow is None:
                done.add(node)
                open_.discard(node)
                stack.pop()
                continue
            target = arrows[arrow][1]
            if target in open_:
                found.add(arrow)
            elif target not in done:
                open_.add(target)
                stack.append((target, iter(leaving[target])))
    return frozenset(found)


class _Ranks:
    """The rank of each node, and the used room of each rank."""

    def __init__(self, breadths: Sequence[int], room: int) -> None:
        self.breadths, self.room = breadths, room
        self.of = [0] * len(breadths)
        self._used: dict[int, int] = {}

    def has_room(self, rank: int, node: int) -> bool:
        used = self._used.get(rank, 0)
        return not used or used + self.breadths[node] <= self.room

    def put(self, node: int, rank: int) -> None:
        self.of[node] = rank
        self._used[rank] = self._used.get(rank, 0) + self.breadths[node] + GAP

    def take(self, node: int) -> None:
        self._used[self.of[node]] -= self.breadths[node] + GAP


def ranks(breadths: Sequence[int], downs: Sequence[tuple[int, int]], room: int) -> list[int]:
    """Return each node's rank, from 0: below all nodes that lead to it, if there is room.

    A node without incoming arrows is as close to its targets as the room allows. The arrows must not form a cycle.
    """
    uppers: list[list[int]] = [[] for _ in breadths]
    lowers: list[list[int]] = [[] for _ in breadths]
    for upper, lower in downs:
        uppers[lower].append(upper)
        lowers[upper].append(lower)
    made = _Ranks(breadths, room)
    waiting = [len(found) for found in uppers]
    ready = [node for node, count in enumerate(waiting) if not count]
    for node in ready:
        rank = max((made.of[upper] + 1 for upper in uppers[node]), default=0)
        while not made.has_room(rank, node):
            rank += 1
        made.put(node, rank)
        for lower in lowers[node]:
            waiting[lower] -= 1
            if not waiting[lower]:
                ready.append(lower)
    for node in reversed(ready):
        if not uppers[node] and lowers[node]:
            lowest = min(made.of[lower] for lower in lowers[node]) - 1
            made.take(node)
            closer = (rank for rank in range(lowest, made.of[node], -1) if made.has_room(rank, node))
            made.put(node, next(closer, made.of[node]))
    packed = {rank: place for place, rank in enumerate(sorted(set(made.of)))}
    return [packed[rank] for rank in made.of]
