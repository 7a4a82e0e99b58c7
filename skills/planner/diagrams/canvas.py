"""A grid of characters on which lines, boxes and text are drawn."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from .text import cells, columns, widest

CORNER: Final = "+"
PADDING: Final = 4
"""Columns of a box besides its text: a border and a blank on either side."""


class Canvas:
    """Cells by row and column, counted from 0. Later drawings cover earlier ones."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], str] = {}

    def text(self, row: int, column: int, text: str) -> None:
        """Write the text from that cell to the right."""
        for offset, cell in enumerate(cells(text)):
            self._cells[row, column + offset] = cell

    def line(self, points: Sequence[tuple[int, int]]) -> None:
        """Draw a line through these points, each straight left, right, up or down of the one before; corners are `+`.

        At a crossing, the vertical line is drawn.
        """
        for (top, left), (bottom, right) in pairwise(points):
            across = top == bottom
            for row in range(min(top, bottom), max(top, bottom) + 1):
                for column in range(min(left, right), max(left, right) + 1):
                    if self._cells.get((row, column)) != "|" or not across:
                        self._cells[row, column] = "-" if across else "|"
        for before, (row, column), after in zip(points, points[1:], points[2:], strict=False):
            if (before[0] == row) != (after[0] == row):
                self._cells[row, column] = CORNER

    def box(self, row: int, column: int, width: int, height: int, lines: Sequence[str]) -> None:
        """Draw a box with that top left corner, its lines of text in the middle and left-aligned."""
        border = CORNER + "-" * (width - 2) + CORNER
        self.text(row, column, border)
        self.text(row + height - 1, column, border)
        for inner in range(row + 1, row + height - 1):
            self.text(inner, column, "|" + " " * (width - 2) + "|")
        left = column + (width - widest(lines)) // 2
        for number, line in enumerate(lines):
            self.text(row + 1 + (height - 2 - len(lines)) // 2 + number, left, line)

    def paste(self, other: "Canvas", row: int, column: int) -> None:
        """Draw the other canvas with its origin at that cell."""
        for (top, left), cell in other._cells.items():
            self._cells[top + row, left + column] = cell

    @property
    def width(self) -> int:
        """Return the width in columns, from column 0."""
        return max((column + columns(cell) for (_, column), cell in self._cells.items()), default=0)

    @property
    def height(self) -> int:
        """Return the height in rows, from row 0."""
        return max((row + 1 for row, _ in self._cells), default=0)

    def __str__(self) -> str:
        width, rows = self.width, range(self.height)
        lines = ("".join(self._cells.get((row, column), " ") for column in range(width)) for row in rows)
        return "\n".join(line.rstrip() for line in lines)
