"""Routes of arrows between two layers: the assignment of tracks, so that no two lines overlap."""

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple, TypeAlias

from .straight import Ends

Way: TypeAlias = tuple[tuple[int, int], ...]
"""The bends of a segment, each a track and the position at which it turns onto the track or leaves it."""


class _Piece(NamedTuple):
    """The part of a segment that lies on one track."""

    segment: int
    part: int
    """Its number among the pieces of the segment, from above."""
    upper: int
    lower: int


def routed(ends: Sequence[Ends]) -> tuple[tuple[Way, ...], int]:
    """Return the route of each segment, and the number of tracks. A straight segment has no bends.

    Two routes may cross, but never share a bend or a part of a line. If one enters from above at the position at which
    another leaves below, it runs above the other. If that forms a cycle, one of them gets two more bends.
    """
    pieces = [_Piece(number, 0, *pair) for number, pair in enumerate(ends) if pair[0] != pair[1]]
    taken = {place for pair in ends for place in pair}
    while (order := _order(pieces)) is None:
        caught = next(piece for piece in pieces if _is_caught(piece, pieces))
        aside = _aside(taken, (caught.upper + caught.lower) // 2)
        taken.add(aside)
        at = pieces.index(caught)
        pieces[at : at + 1] = [caught._replace(lower=aside), caught._replace(part=caught.part + 1, upper=aside)]
    ways: list[list[tuple[int, int]]] = [[] for _ in ends]
    tracks = _tracks(order)
    for piece, track in sorted(zip(order, tracks, strict=True)):
        ways[piece.segment] += [(track, piece.upper), (track, piece.lower)]
    return tuple(map(tuple, ways)), max(tracks, default=-1) + 1


def _above(piece: _Piece, other: _Piece) -> bool:
    """Return True if the piece must run above the other."""
    if piece.segment == other.segment:
        return piece.part < other.part
    return piece.upper == other.lower


def _order(pieces: Sequence[_Piece]) -> list[_Piece] | None:
    """Return the pieces, each after all that must run above it and with few crossings; None if they form a cycle."""
    left = sorted(pieces, key=_preference)
    made: list[_Piece] = []
    while left:
        ready = (piece for piece in left if not any(_above(other, piece) for other in left))
        piece = next(ready, None)
        if piece is None:
            return None
        made.append(piece)
        left.remove(piece)
    return made


def _preference(piece: _Piece) -> tuple[int, int]:
    """Return a sort key. Of two pieces in the same direction, the one ahead runs above, so they do not cross."""
    return (0, -piece.upper) if piece.lower > piece.upper else (1, piece.upper)


def _tracks(order: Sequence[_Piece]) -> list[int]:
    """Return the track of each piece, the highest free one."""
    tracks: list[int] = []
    for piece in order:
        before = list(zip(order, tracks, strict=False))
        lowest = max((track + 1 for other, track in before if _above(other, piece)), default=0)
        used = {track for other, track in before if _touch(piece, other)}
        tracks.append(next(track for track in count(lowest) if track not in used))
    return tracks


def _touch(piece: _Piece, other: _Piece) -> bool:
    """Return True if both would overlap on one track, or look like one line if a third crosses between them."""
    low = max(min(piece.upper, piece.lower), min(other.upper, other.lower))
    return low <= min(max(piece.upper, piece.lower), max(other.upper, other.lower)) + 2


def _is_caught(piece: _Piece, pieces: Sequence[_Piece]) -> bool:
    """Return True if the piece is part of a cycle: following what must run below it leads back to it."""
    front, seen = [piece], set[_Piece]()
    while front:
        now = front.pop()
        below = [other for other in pieces if other not in seen and _above(now, other)]
        seen.update(below)
        front += below
    return piece in seen


def _aside(taken: set[int], near: int) -> int:
    """Return the closest position at which nothing starts, ends or turns."""
    tries = (near + sign * distance for distance in count() for sign in (1, -1))
    return next(place for place in tries if place >= 0 and place not in taken)
