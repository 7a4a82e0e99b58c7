"""Verification of a hand-made drawing: it must show the whole graph within 80 columns."""

from collections.abc import Iterator
from typing import Final

from ..schema.plan.diagram import Diagram, DiagramEdge, DiagramNode
from ..schema.plan.findings import Finding
from .boxes import gap_of_box
from .layout.sizes import WIDTH
from .layout.spots import Cell, Grid, grid_of, spots
from .text import columns, texts, unmeasurable

FIELD: Final = "ascii_render"
MAX_LINES: Final = 400
DRAWN: Final = "─━│┃┄┅┆┇┈┉┊┋┌┐└┘├┤┬┴┼╋═║╔╗╚╝╭╮╯╰╱╲╳←↑→↓▲▶▼◀►◄"
"""Characters that drawings use in place of ASCII."""


def faults(diagram: Diagram, drawing: str) -> tuple[Finding, ...]:
    """Return the faults of the drawing as one of the diagram; lines and columns count from 1.

    Every label of a node must be in a closed box of its own, every label of an edge in a place of its own.
    """
    lines = drawing.split("\n")
    if len(lines) > MAX_LINES:
        message = f"the drawing has {len(lines):,} lines, at most {MAX_LINES}"
        return (_finding(diagram, MAX_LINES, 0, message, "divide it into several diagrams"),)
    characters = (*_characters(diagram, lines), *_widths(diagram, lines))
    return characters or tuple(_labels(diagram, grid_of(drawing)))


def _finding(diagram: Diagram, row: int, column: int, message: str, fix: str) -> Finding:
    return Finding(diagram.id, FIELD, f"line {row + 1}, column {column + 1}: {message}", fix)


def _characters(diagram: Diagram, lines: list[str]) -> Iterator[Finding]:
    """Yield at most one fault per line: a line character that is not ASCII, or one of uncertain width."""
    shown = " ".join(text for _, text in texts(diagram))
    for row, line in enumerate(lines):
        char = unmeasurable(line)
        if char is not None:
            place = columns(line[: line.index(char)])
            fix = "use spaces" if char == "\t" else "remove it"
            yield _finding(diagram, row, place, f"U+{ord(char):04X} has no fixed width in a terminal", fix)
            continue
        foreign = next((each for each in line if each in DRAWN and each not in shown), None)
        if foreign is not None:
            place = columns(line[: line.index(foreign)])
            yield _finding(diagram, row, place, f"{foreign!r} is not ASCII", "draw with + - | < > ^ v")


def _widths(diagram: Diagram, lines: list[str]) -> Iterator[Finding]:
    for row, line in enumerate(lines):
        if columns(line) > WIDTH:
            fix = "wrap labels, or place boxes below one another"
            yield _finding(diagram, row, WIDTH, f"the line has {columns(line)} columns; at most {WIDTH}", fix)


def _labels(diagram: Diagram, grid: Grid) -> Iterator[Finding]:
    """Yield missing labels. The longest come first, on separate cells: `Cache hits` does not show `Cache`."""
    items: list[DiagramNode | DiagramEdge] = [*diagram.nodes, *diagram.edges]
    taken: set[Cell] = set()
    for item in sorted(items, key=lambda item: -columns(item.label)):
        if not item.label.strip():
            continue
        free = [spot for spot in spots(grid, item.label) if taken.isdisjoint(spot)]
        if not free:
            yield _absent(diagram, item)
            continue
        spot = free[0]
        if isinstance(item, DiagramNode):
            gaps = [gap_of_box(grid, each) for each in free]
            if None not in gaps:
                row, column, expected = next(gap for gap in gaps if gap)
                message = f"the box of {item.id} {item.label!r} is open: {expected!r} is missing"
                yield _finding(diagram, row, column, message, "close it: + at the corners, - and | between them")
            else:
                spot = free[gaps.index(None)]
        taken.update(spot)


def _absent(diagram: Diagram, item: DiagramNode | DiagramEdge) -> Finding:
    what = f"node {item.id}" if isinstance(item, DiagramNode) else f"edge {item.source} -> {item.target}"
    fix = "write it in whole words, one space apart or on consecutive lines, once for each that has it"
    return Finding(diagram.id, FIELD, f"{what}: its label {item.label!r} is missing", fix)
