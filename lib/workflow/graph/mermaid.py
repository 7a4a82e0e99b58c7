"""The graph as a Mermaid flowchart (https://mermaid.js.org/syntax/flowchart.html)."""

from collections.abc import Iterator
from typing import Final

from ..ast.prose import Look
from .data import Graph
from .drawing import Arrow, Box, arrows, groups

_PLAIN: Final = frozenset(" ,.-_/()?!'+")
_SIDES: Final = {
    Look.STEP: ("[", "]"),
    Look.GATE: ("{{", "}}"),
    Look.DISPATCH: ("[[", "]]"),
    Look.TERMINAL: ("([", "])"),
}


def mermaid(graph: Graph) -> str:
    """Return a flowchart: hexagons are gates, boxes with double sides dispatch, dotted arrows lead back."""
    return "\n".join(_lines(graph))


def label(*lines: str) -> str:
    """Return a quoted label. Every character that Mermaid could interpret becomes an entity, colons too.

    Mermaid strips the `;` from a line of the form `style…:…#…;` before it reads entities, and interprets `%%{…}%%`
    anywhere.
    """
    return '"' + "<br>".join(map(escaped, lines)) + '"'


def escaped(line: str) -> str:
    """Escape a line, so that Mermaid shows it literally."""
    return "".join(char if char.isalnum() or char in _PLAIN else f"#{ord(char)};" for char in line)


def _lines(graph: Graph) -> Iterator[str]:
    yield "flowchart TD"
    for number, (phase, boxes) in enumerate(groups(graph)):
        if phase:
            yield f"    subgraph phase{number}[{label(phase)}]"
        yield from (f"    {'    ' if phase else ''}{_box(box)}" for box in boxes)
        if phase:
            yield "    end"
    yield from (f"    {_arrow(arrow)}" for arrow in arrows(graph))


def _box(box: Box) -> str:
    left, right = _SIDES[box.look]
    return f"{box.name}{left}{label(*box.lines)}{right}"


def _arrow(arrow: Arrow) -> str:
    text = f"|{label(*arrow.lines)}|" if arrow.lines else ""
    return f"{arrow.source} {'-.->' if arrow.back else '-->'}{text} {arrow.target}"
