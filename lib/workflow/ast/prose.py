"""Building blocks of documents for people: sections, lists, labelled texts.

They are elements with a few tags that document renderers know. Functions return None instead of an empty element, and
drop None from their content.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from .fields import Node
from .nodes import Code, Element, Text

SECTION: Final = "section"
BULLETS: Final = "list"
NUMBERED: Final = "numbered"
ITEM: Final = "item"
LABELLED: Final = "labelled"
TIMELINE: Final = "timeline"
DRAWING: Final = "drawing"
FLOW: Final = "flow"
BOX: Final = "box"
ARROW: Final = "arrow"
MARKDOWN: Final = "markdown"
FOLDED: Final = "folded"
FACTS: Final = "facts"
CHART: Final = "chart"
BAR: Final = "bar"
ANCHOR: Final = "id"
"""Attribute that holds an element's id; formats with links link each mention to it."""
TONE: Final = "tone"


class Tone(StrEnum):
    """The result that a labelled text reports; a format may show it by colour too."""

    GOOD = "good"
    BAD = "bad"
    OPEN = "open"


def section(title: str, *content: Node | None, anchor: str | None = None) -> Element | None:
    """Return a section with a heading, or None if it has no content."""
    return _element(SECTION, {"title": title, ANCHOR: anchor}, content)


def labelled(
    label: str, *content: Node | str | None, anchor: str | None = None, tone: Tone | None = None
) -> Element | None:
    """Return content behind a label in bold letters."""
    return _element(LABELLED, {"label": label, ANCHOR: anchor, TONE: tone and tone.value}, content)


def bullets(*items: Node | str | None) -> Element | None:
    """Return an unordered list."""
    return _element(BULLETS, {}, _items(items))


def numbered(*items: Node | str | None) -> Element | None:
    """Return a numbered list."""
    return _element(NUMBERED, {}, _items(items))


def timeline(*items: Node | str | None) -> Element | None:
    """Return a list in order of time."""
    return _element(TIMELINE, {}, _items(items))


def drawing(title: str, text: str) -> Element | None:
    """Return a text drawing."""
    return _element(DRAWING, {"title": title}, (Code(text=text),))


class Look(StrEnum):
    """The kind of thing that a box of a flow represents."""

    STEP = "step"
    GATE = "gate"
    DISPATCH = "dispatch"
    TERMINAL = "terminal"
    """Start, end, or a program that takes over."""


def flow(title: str, boxes: Iterable[Element | None], arrows: Iterable[Element]) -> Element | None:
    """Return boxes in top-to-bottom order with arrows between them; formats that draw lay them out."""
    return _element(FLOW, {"title": title}, (*boxes, *arrows))


def box(name: str, text: str, look: Look, above: str = "") -> Element | None:
    """Return a box of a flow, or None if its text is empty. `above` is the heading of the part that begins here."""
    return _element(BOX, {"name": name, "look": look.value, "above": above or None}, (text,))


def arrow(source: str, target: str, text: str) -> Element:
    """Return a labelled arrow between two boxes of a flow, given by name."""
    return Element(ARROW, {"from": source, "to": target}, (text,))


def markdown(text: str) -> Element | None:
    """Return a text in Markdown, such as an agent's reply."""
    return _element(MARKDOWN, {}, (text,))


def folded(label: str, *content: Node | str | None, tone: Tone | None = None) -> Element | None:
    """Return content that a reader opens by its label."""
    return _element(FOLDED, {"label": label, TONE: tone and tone.value}, content)


def facts(*pairs: tuple[str, str]) -> Element | None:
    """Return short values, each under its name."""
    return _element(FACTS, {}, (labelled(name, value) for name, value in pairs))


def chart(title: str, length: str, *bars: Element | None) -> Element | None:
    """Return bars on one axis of time; `length` names its end, such as `4:05`."""
    return _element(CHART, {"title": title, "length": length}, bars)


def bar(text: str, begin: int, end: int, tone: Tone | None = None, is_head: bool = False) -> Element | None:
    """Return a bar of a chart, from `begin` to `end` in milliseconds. A head names the bars below it."""
    span = {"begin": str(begin), "end": str(end), "look": "head" if is_head else None}
    return _element(BAR, {**span, TONE: tone and tone.value}, (text,))


def item(*content: Node | str | None, anchor: str | None = None) -> Element | None:
    """Return a list item of several texts or nodes."""
    return _element(ITEM, {ANCHOR: anchor}, content)


def _items(items: Iterable[Node | str | None]) -> list[Element | None]:
    return [each if isinstance(each, Element) and each.tag == ITEM else item(each) for each in items]


def _element(tag: str, attributes: dict[str, str | None], content: Iterable[Node | str | None]) -> Element | None:
    present = [Text(each) if isinstance(each, str) else each for each in content]
    kept = [each for each in present if each is not None and not (isinstance(each, Text) and not each.value.strip())]
    return Element(tag, attributes, kept) if kept else None
