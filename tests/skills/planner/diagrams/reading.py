"""Reader of drawings: follows every line from box to box, as a person would with a finger."""

from collections.abc import Iterator
from typing import NamedTuple

from skills.planner.diagrams.layout.spots import Cell, Grid, at, grid_of, spots


class Box(NamedTuple):
    """The rows and columns of a box's borders."""

    name: str
    top: int
    left: int
    bottom: int
    right: int


def arrows(drawing: str, names: list[str]) -> list[tuple[str, str, str]]:
    """Return source, target and the label's number of every arrow in a drawing that runs down; sorted.

    The names are words at the start of the nodes' labels.
    """
    grid = grid_of(drawing)
    boxes = [_box(grid, name) for name in names]
    tops = {(box.top, column): box.name for box in boxes for column in range(box.left, box.right + 1)}
    found = [_arrow(grid, box.name, start, tops) for box in boxes for start in _below(grid, box)]
    return sorted([*found, *(loop for box in boxes for loop in _loops(grid, box))])


def _box(grid: Grid, name: str) -> Box:
    row, column = next(spots(grid, name))[0]
    left = max(c for c in range(column) if at(grid, row, c) == "|")
    top, bottom = row, row
    while at(grid, top, left) != "+":
        top -= 1
    while at(grid, bottom, left) != "+":
        bottom += 1
    right = next(c for c in range(left + 1, len(grid[top])) if at(grid, top, c) == "+")
    assert all(at(grid, line, c) == "-" for line in (top, bottom) for c in range(left + 1, right))
    assert all(at(grid, line, c) == "|" for line in range(top + 1, bottom) for c in (left, right))
    assert at(grid, bottom, right) == "+"
    return Box(name, top, left, bottom, right)


def _below(grid: Grid, box: Box) -> Iterator[Cell]:
    for column in range(box.left, box.right + 1):
        if at(grid, box.bottom + 1, column) in ("|", "v", "^"):
            yield box.bottom + 1, column


def _arrow(grid: Grid, source: str, start: Cell, tops: dict[Cell, str]) -> tuple[str, str, str]:
    """Follow the line that starts there, down to a box."""
    (row, column), sideways, label = start, 0, ""
    while (row, column) not in tops:
        cell = at(grid, row, column)
        if cell == "+" and sideways:
            row, sideways = row + 1, 0
        elif cell == "+":
            sideways = 1 if _goes(grid, row, column, 1) else -1
            column += sideways
        elif sideways:
            assert cell in ("-", "|"), (row, column, cell)
            column += sideways
        else:
            assert cell in ("|", "v", "^"), (row, column, cell)
            label = label or _label(grid, row, column + 2)
            row += 1
    target = tops[row, column]
    return (target, source, label) if at(grid, *start) == "^" else (source, target, label)


def _goes(grid: Grid, row: int, column: int, way: int) -> bool:
    """Return True if a line continues from that corner to that side, even behind lines that it crosses."""
    column += way
    while at(grid, row, column) == "|":
        column += way
    return at(grid, row, column) in ("-", "+")


def _label(grid: Grid, row: int, column: int) -> str:
    """Return the number at the start of a label in that cell, if there is one."""
    word = "".join(at(grid, row, c) for c in range(column, column + 4)).partition(" ")[0]
    return word if word[:1] == "e" and word[1:].isdigit() else ""


def _loops(grid: Grid, box: Box) -> Iterator[tuple[str, str, str]]:
    for row in range(box.top + 1, box.bottom):
        if "".join(at(grid, row, box.right + offset) for offset in (1, 2, 3)) == "--+":
            yield box.name, box.name, _label(grid, row, box.right + 5)
