"""Positions of a text in a drawing: in whole words, which may continue in the line below."""

from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import Final, TypeAlias

from ..text import cells, pieces

Grid: TypeAlias = Sequence[Sequence[str]]
"""A drawing, cell by cell; a cell holds a character with its marks, or is empty after a wide one."""
Cell: TypeAlias = tuple[int, int]
"""A row and a column, from 0."""
Word: TypeAlias = tuple[tuple[str, ...], bool]
"""The cells of a word, or of a part of one, and True if it continues the word before."""

LINES: Final = " |+-<>^v"
"""The characters that may precede a run of words, with or without a blank between."""


def grid_of(drawing: str) -> Grid:
    """Return the drawing, cell by cell."""
    return [list(cells(line)) for line in drawing.split("\n")]


def at(grid: Grid, row: int, column: int) -> str:
    """Return the content of a cell, or a blank outside the drawing."""
    inside = 0 <= row < len(grid) and 0 <= column < len(grid[row])
    return grid[row][column] if inside else " "


def spots(grid: Grid, text: str) -> Iterator[tuple[Cell, ...]]:
    """Yield the cells of each position of the text, from the top, then from the left."""
    words = [(tuple(cells(word)), continues) for word, continues in pieces(text)]
    search = _Search(grid, words)
    for row, line in enumerate(grid):
        for column in range(len(line)):
            found = search.spot(0, row, column, ())
            if found is not None:
                yield found


class _Search:
    """A search for the words of one text. It remembers where it failed, so it ends soon for any drawing."""

    def __init__(self, grid: Grid, words: Sequence[Word]) -> None:
        self.grid, self.words = grid, words
        self._dead: set[tuple[int, int, int, int]] = set()
        self._runs = cache(partial(_runs, grid))

    def spot(self, number: int, row: int, column: int, before: tuple[Cell, ...]) -> tuple[Cell, ...] | None:
        """Return `before` with the cells of the words from that number on, or None if the words are not there."""
        grid, (word, continues) = self.grid, self.words[number]
        if at(grid, row, column) != word[0]:
            return None
        end = column + len(word)
        last = number + 1 == len(self.words)
        continued = not last and self.words[number + 1][1]
        if (
            any(at(grid, row, column + offset) != cell for offset, cell in enumerate(word))
            or (not continues and _one_word(at(grid, row, column - 1), word[0]))
            or (not continued and _one_word(word[-1], at(grid, row, end)))
        ):
            return None
        found = (*before, *((row, column + offset) for offset in range(len(word))))
        first = next(place for line, place in found if line == row)
        state = (number, row, column, first)
        if last or state in self._dead:
            return found if last else None
        ways = [(row, end)] if continued else [(row, end + 1)] if at(grid, row, end) == " " else []
        ways += [(row + 1, start) for start, stop in self._runs(row + 1) if start < end and stop > first]
        rest = (self.spot(number + 1, *way, found) for way in ways)
        made = next((spot for spot in rest if spot is not None), None)
        if made is None:
            self._dead.add(state)
        return made


def _one_word(cell: str, after: str) -> bool:
    """Return True if both cells belong to one word: `w1` is not found in `w10`, but `(L1)` is found in `(L1)|`."""
    return all(not each or each[0].isalnum() or each[0] == "_" for each in (cell, after))


def _runs(grid: Grid, row: int) -> tuple[tuple[int, int], ...]:
    """Return the start and end of each run of words in that row."""
    line = grid[row] if row < len(grid) else ()
    starts = (
        start
        for start, cell in enumerate(line)
        if cell.strip()
        and (at(grid, row, start - 1) in LINES)
        and (at(grid, row, start - 1) != " " or at(grid, row, start - 2) in LINES)
    )
    text = [(start, "".join(each or "." for each in line[start:])) for start in starts]
    return tuple((start, start + len(run.partition("  ")[0].partition("|")[0] or "|")) for start, run in text)
