"""A chart of bars on one axis of time as SVG, as wide as its place: positions are percentages.

A head is a line of text above its bars. Each bar has its own row. With many bars the rows are low, and only the heads
and tooltips say which is which.
"""

from collections.abc import Iterator
from html import escape
from typing import Final

from ...ast import prose
from ...ast.nodes import Element, Text

FEW: Final = 150
"""Maximum rows of which each has its text in the drawing."""
HEAD: Final = 20
HIGH: Final = 18
LOW: Final = 4
"""Heights of the rows of a head, of a bar with a text, and of one of many bars."""
THIN: Final = 0.3
"""Least width of a bar in percent."""
MIDDLE: Final = 50
"""Percentage: the text is after a bar that ends before it, before one that begins after it, else inside."""
SPACE: Final = 5
TONES: Final = frozenset(prose.Tone)


def chart_svg(node: Element) -> str:
    """Return the drawing of a chart."""
    bars = [child for child in node.children if isinstance(child, Element) and child.tag == prose.BAR]
    length = max([1, *(_number(child, "end") for child in bars)])
    with_text = len(bars) <= FEW
    parts: list[str] = []
    top = 0
    for child in bars:
        is_head = dict(child.attributes).get("look") == "head"
        high = HEAD if is_head else HIGH if with_text else LOW
        parts += _head(child, top) if is_head else _bar(child, top, high, length, with_text)
        top += high
    said = dict(node.attributes)
    parts += _axis(said.get("length", ""), top)
    top += HEAD
    title = escape(said.get("title", ""))
    return f'<svg role="img" aria-label="{title}" width="100%" height="{top}">{"".join(parts)}</svg>'


def _axis(length: str, top: int) -> Iterator[str]:
    yield f'<line class="rule" x1="0" y1="{top + 3}" x2="100%" y2="{top + 3}"/>'
    yield f'<text x="0" y="{top + HEAD - 4}">0</text>'
    yield f'<text x="100%" y="{top + HEAD - 4}" text-anchor="end">{escape(length)}</text>'


def _head(child: Element, top: int) -> Iterator[str]:
    yield f'<text class="head" x="0" y="{top + HEAD - 6}">{escape(_text(child))}</text>'


def _bar(child: Element, top: int, high: int, length: int, with_text: bool) -> Iterator[str]:
    begin = min(100 * _number(child, "begin") / length, 100 - THIN)
    width = max(100 * _number(child, "end") / length - begin, THIN)
    tone = dict(child.attributes).get(prose.TONE, "")
    text, end = escape(_text(child)), begin + width
    yield (
        f'<rect class="bar {tone if tone in TONES else "none"}" x="{begin:.2f}%" y="{top + 1}" width="{width:.2f}%" '
        f'height="{high - 2}" rx="{1 if high == LOW else 3}"><title>{text}</title></rect>'
    )
    if with_text:
        at, by, anchor = begin, SPACE, "start"
        if end < MIDDLE:
            at = end
        elif begin > MIDDLE:
            by, anchor = -SPACE, "end"
        yield f'<text x="{at:.2f}%" dx="{by}" y="{top + 13}" text-anchor="{anchor}">{text}</text>'


def _number(child: Element, name: str) -> int:
    """Return a time in milliseconds; 0 if the attribute is missing or none."""
    value = dict(child.attributes).get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) <= 18 else 0


def _text(child: Element) -> str:
    return " ".join(inner.value for inner in child.children if isinstance(inner, Text))
