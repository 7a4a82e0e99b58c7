"""The graph in the DOT language of Graphviz (https://graphviz.org/doc/info/lang.html)."""

import textwrap
from collections.abc import Iterator
from typing import Final

from ..ast.prose import Look
from ..util.characters import on_a_screen
from .data import Graph
from .drawing import Arrow, Box, arrows, groups

_WIDTH: Final = 32
"""Characters per line of a label; Graphviz does not wrap."""
_SHAPES: Final = {
    Look.STEP: "",
    Look.GATE: " shape=hexagon",
    Look.DISPATCH: " peripheries=2",
    Look.TERMINAL: " shape=oval",
}


def dot(graph: Graph) -> str:
    """Return a digraph: hexagons are gates, boxes with two borders dispatch, dashed arrows lead back."""
    return "\n".join(_lines(graph))


def label(*lines: str) -> str:
    """Return a quoted, wrapped label. Backslashes and ampersands are escaped, because Graphviz would interpret them."""
    wrapped = (part for line in lines for part in textwrap.wrap(line, _WIDTH, break_long_words=False) or [""])
    return '"' + "\\n".join(map(_escaped, wrapped)) + '"'


def _escaped(line: str) -> str:
    return line.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")


def _lines(graph: Graph) -> Iterator[str]:
    yield "digraph {"
    yield f"    label={label(on_a_screen(graph.name))} labelloc=t fontname=Helvetica"
    yield "    node [shape=box fontname=Helvetica]"
    yield "    edge [fontname=Helvetica fontsize=11]"
    for number, (phase, boxes) in enumerate(groups(graph)):
        if phase:
            yield f"    subgraph cluster_{number} {{"
            yield f"        label={label(phase)}"
        yield from (f"    {'    ' if phase else ''}{_box(box)}" for box in boxes)
        if phase:
            yield "    }"
    yield from (f"    {_arrow(arrow)}" for arrow in arrows(graph))
    yield "}"


def _box(box: Box) -> str:
    return f"{box.name} [label={label(*box.lines)}{_SHAPES[box.look]}]"


def _arrow(arrow: Arrow) -> str:
    text = f"label={label(*arrow.lines)}" if arrow.lines else ""
    return f"{arrow.source} -> {arrow.target} [{text}{' style=dashed' if arrow.back else ''}]"
