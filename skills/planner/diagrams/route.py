"""The ways of arrows between two layers: who runs along which track, so that no two lie on one another."""

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple, TypeAlias

from .straight import Ends

Way: TypeAlias = tuple[tuple[int, int], ...]
"""The bends of a segment, each a track and the place where it turns onto the track or leaves it."""


class _Piece(NamedTuple):
    """What of a segment lies on one track."""

    segment: int
    part: int
    """Its number among the pieces of the segment, from above."""
    upper: int
    lower: int


def routed(ends: Sequence[Ends]) -> tuple[tuple[Way, ...], int]:
    """The way of each segment, and how many tracks they take; a straight one has no bends.

    Two ways may cross, and never share a bend or a part of a line. Where one comes in from above at the place at which
    another leaves below, it runs above the other; where that goes round in a circle, one gets two bends more.
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
    """Whether the piece must run above the other."""
    if piece.segment == other.segment:
        return piece.part < other.part
    return piece.upper == other.lower


def _order(pieces: Sequence[_Piece]) -> list[_Piece] | None:
    """The pieces, each behind all that must run above it, else so that few cross; None where they go in a circle."""
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
    """Of two that go the same way, the one that is ahead runs above: so they do not cross."""
    return (0, -piece.upper) if piece.lower > piece.upper else (1, piece.upper)


def _tracks(order: Sequence[_Piece]) -> list[int]:
    """The track of each piece, the highest that is free."""
    tracks: list[int] = []
    for piece in order:
        before = list(zip(order, tracks, strict=False))
        lowest = max((track + 1 for other, track in before if _above(other, piece)), default=0)
        used = {track for other, track in before if _touch(piece, other)}
        tracks.append(next(track for track in count(lowest) if track not in used))
    return tracks


def _touch(piece: _Piece, other: _Piece) -> bool:
    """Whether the two would lie on one another on one track, or look like one line where a third crosses between."""
    low = max(min(piece.upper, piece.lower), min(other.upper, other.lower))
    return low <= min(max(piece.upper, piece.lower), max(other.upper, other.lower)) + 2


def _is_caught(piece: _Piece, pieces: Sequence[_Piece]) -> bool:
    """Whether the piece is part of a circle: following what must run below it leads back to it."""
    front, seen = [piece], set[_Piece]()
    while front:
        now = front.pop()
        below = [other for other in pieces if other not in seen and _above(now, other)]
        seen.update(below)
        front += below
    return piece in seen


def _aside(taken: set[int], near: int) -> int:
    """The closest place where nothing begins, ends or turns."""
    tries = (near + sign * distance for distance in count() for sign in (1, -1))
    return next(place for place in tries if place >= 0 and place not in taken)
