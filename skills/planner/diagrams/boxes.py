"""Whether the box around a text closes."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from .spots import Cell, Grid, at

BORDER: Final = "-+v^|"
"""What the upper and the lower border of a box may hold between its corners: arrows begin and end there."""
SIDE: Final = "|+<>"


class Gap(NamedTuple):
    """Where a box is open, and what should stand there."""

    row: int
    column: int
    expected: str


def gap_of_box(grid: Grid, text: Sequence[Cell]) -> Gap | None:
    """The first place at which the box around these cells is open; None where it is closed.

    A text may hold a `|` itself, so the sides are sought among the nearest few.
    """
    row = text[0][0]
    first, last = min(column for _, column in text), max(column for _, column in text)
    lefts = [column for column in range(first - 1, -1, -1) if at(grid, row, column) in ("|", "<", ">")]
    rights = [column for column in range(last + 1, len(grid[row])) if at(grid, row, column) in ("|", "<", ">")]
    if not lefts:
        return Gap(row, max(first - 2, 0), "|")
    if not rights:
        return Gap(row, last + 2, "|")
    gaps = [_gap(grid, text, left, right) for left in lefts[:3] for right in rights[:3]]
    return None if None in gaps else gaps[0]


def _gap(grid: Grid, text: Sequence[Cell], left: int, right: int) -> Gap | None:
    rows = [row for row, _ in text]
    top, bottom = min(rows), max(rows)
    while at(grid, top, left) in ("|", "<", ">"):
        top -= 1
    while at(grid, bottom, left) in ("|", "<", ">"):
        bottom += 1
    for row in (top, bottom):
        for column in (left, right):
            if at(grid, row, column) != "+":
                return Gap(row, column, "+")
        for column in range(left, right):
            if at(grid, row, column) not in BORDER:
                return Gap(row, column, "-")
    for row in range(top + 1, bottom):
        if at(grid, row, right) not in SIDE:
            return Gap(row, right, "|")
    return None
