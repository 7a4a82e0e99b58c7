"""Check that the box around a text is closed."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from .layout.spots import Cell, Grid, at

BORDER: Final = "-+v^|"
"""The characters that a box's top and bottom border may have between its corners. Arrows start and end there."""
SIDE: Final = "|+<>"


class Gap(NamedTuple):
    """A place at which a box is open, and the character expected there."""

    row: int
    column: int
    expected: str


def gap_of_box(grid: Grid, text: Sequence[Cell]) -> Gap | None:
    """Return the first place at which the box around these cells is open, or None.

    A text may contain a `|` itself, so the sides are searched among the nearest few.
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
