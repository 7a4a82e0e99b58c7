"""A text drawing as SVG: lines, corners and arrowheads become strokes, the rest text."""

from collections.abc import Iterator
from html import escape
from typing import Final
from unicodedata import east_asian_width

WIDE: Final = 8
"""Width of a column in units."""
HIGH: Final = 18
"""Height of a row in units."""
ACROSS: Final = frozenset("-+<>")
DOWN: Final = frozenset("|+v^")
HEADS: Final = {
    ">": "M1 4 L8 9 L1 14 Z",
    "<": "M7 4 L0 9 L7 14 Z",
    "v": "M-1 8 L9 8 L4 18 Z",
    "^": "M-1 10 L9 10 L4 0 Z",
}


def svg(text: str, title: str) -> str:
    """Return the drawing as SVG. The title and the drawing's words are its description for screen readers."""
    grid = [list(_cells(line)) for line in text.expandtabs(4).split("\n")]
    width, height = max(map(len, grid)) * WIDE + WIDE, len(grid) * HIGH
    said = " ".join(" ".join(text.split()).translate(dict.fromkeys(map(ord, "+-|<>^"), " ")).split())
    strokes = "".join(_strokes(grid))
    return (
        f'<svg role="img" aria-label="{escape(title)}: {escape(said)}" '
        f'viewBox="-4 0 {width} {height}" width="{width}" height="{height}">'
        f'<path class="line" d="{strokes}"/>{"".join(_heads(grid))}{"".join(_texts(grid))}</svg>'
    )


def _cells(line: str) -> Iterator[str]:
    """Yield each column's character; a wide one is followed by an empty column."""
    for char in line:
        yield char
        if east_asian_width(char) in "WF":
            yield ""


def _at(grid: list[list[str]], row: int, column: int) -> str:
    inside = 0 <= row < len(grid) and 0 <= column < len(grid[row])
    return grid[row][column] if inside else " "


def _is_across(grid: list[list[str]], row: int, column: int) -> bool:
    return _at(grid, row, column) == "-" and any(_at(grid, row, column + by) in ACROSS for by in (-1, 1))


def _is_down(grid: list[list[str]], row: int, column: int) -> bool:
    return _at(grid, row, column) == "|" and any(_at(grid, row + by, column) in DOWN | ACROSS for by in (-1, 1))


def _is_corner(grid: list[list[str]], row: int, column: int) -> bool:
    return _at(grid, row, column) == "+" and (
        any(_is_across(grid, row, column + by) for by in (-1, 1))
        or any(_is_down(grid, row + by, column) for by in (-1, 1))
    )


def _is_head(grid: list[list[str]], row: int, column: int) -> bool:
    match _at(grid, row, column):
        case ">":
            return _at(grid, row, column - 1) == "-"
        case "<":
            return _at(grid, row, column + 1) == "-"
        case "v" | "^" as head:
            behind = _at(grid, row + (-1 if head == "v" else 1), column)
            alone = not any(_at(grid, row, column + by).isalnum() for by in (-1, 1))
            return alone and behind in ("|", "+", "-")
        case _:
            return False


def _drawn(grid: list[list[str]], row: int, column: int) -> bool:
    return any(of(grid, row, column) for of in (_is_across, _is_down, _is_corner, _is_head))


def _strokes(grid: list[list[str]]) -> Iterator[str]:
    for row, cells in enumerate(grid):
        for column in range(len(cells)):
            left, top = column * WIDE, row * HIGH
            middle, centre = left + WIDE // 2, top + HIGH // 2
            if _is_across(grid, row, column):
                yield f"M{left} {centre}h{WIDE}"
            elif _is_down(grid, row, column):
                yield f"M{middle} {top}v{HIGH}"
            elif _is_corner(grid, row, column):
                for by in (-1, 1):
                    if _at(grid, row, column + by) in ACROSS:
                        yield f"M{middle} {centre}h{by * WIDE // 2}"
                    if _at(grid, row + by, column) in DOWN:
                        yield f"M{middle} {centre}v{by * HIGH // 2}"


def _heads(grid: list[list[str]]) -> Iterator[str]:
    for row, cells in enumerate(grid):
        for column, char in enumerate(cells):
            if _is_head(grid, row, column):
                yield f'<path class="head" transform="translate({column * WIDE} {row * HIGH})" d="{HEADS[char]}"/>'


def _texts(grid: list[list[str]]) -> Iterator[str]:
    """Yield runs of text, each as wide as its columns in the drawing."""
    for row, cells in enumerate(grid):
        column = 0
        while column < len(cells):
            start = column
            while column < len(cells) and cells[column] != " " and not _drawn(grid, row, column):
                column += 1
            if column > start:
                run = escape("".join(cells[start:column]))
                length = (column - start) * WIDE
                yield f'<text x="{start * WIDE}" y="{row * HIGH + 13}" textLength="{length}">{run}</text>'
            column += column == start
