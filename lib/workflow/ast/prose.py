"""What documents are made of that people read from top to bottom: sections, lists, labelled texts.

Elements of a few tags, which a renderer of documents knows. What would be empty is None, and left out where it stands.
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
ANCHOR: Final = "id"
"""The attribute that holds the id of what stands there: a form with links leads to it from wherever it is named."""
TONE: Final = "tone"


class Tone(StrEnum):
    """How what is labelled turned out; a form may show it by a colour besides the words."""

    GOOD = "good"
    BAD = "bad"
    OPEN = "open"


def section(title: str, *content: Node | None, anchor: str | None = None) -> Element | None:
    """A part of the document with a heading; None where nothing stands in it."""
    return _element(SECTION, {"title": title, ANCHOR: anchor}, content)


def labelled(
    label: str, *content: Node | str | None, anchor: str | None = None, tone: Tone | None = None
) -> Element | None:
    """A text, or more, behind a label in bold letters."""
    return _element(LABELLED, {"label": label, ANCHOR: anchor, TONE: tone and tone.value}, content)


def bullets(*items: Node | str | None) -> Element | None:
    """A list without an order."""
    return _element(BULLETS, {}, _items(items))


def numbered(*items: Node | str | None) -> Element | None:
    """A list in an order."""
    return _element(NUMBERED, {}, _items(items))


def timeline(*items: Node | str | None) -> Element | None:
    """A list in the order of time."""
    return _element(TIMELINE, {}, _items(items))


def drawing(title: str, text: str) -> Element | None:
    """A drawing of lines, boxes and text in characters."""
    return _element(DRAWING, {"title": title}, (Code(text=text),))


class Look(StrEnum):
    """What a box of a flow stands for."""

    STEP = "step"
    GATE = "gate"
    DISPATCH = "dispatch"
    TERMINAL = "terminal"
    """The start, the end, or what takes over."""


def flow(title: str, boxes: Iterable[Element | None], arrows: Iterable[Element]) -> Element | None:
    """Boxes from top to bottom, in their order, and arrows between them: a form that draws lays them out."""
    return _element(FLOW, {"title": title}, (*boxes, *arrows))


def box(name: str, text: str, look: Look, above: str = "") -> Element | None:
    """A box of a flow; `above` begins a part of it. None where it says nothing."""
    return _element(BOX, {"name": name, "look": look.value, "above": above or None}, (text,))


def arrow(source: str, target: str, text: str) -> Element:
    """An arrow between two boxes of a flow, by name, and what is said of it."""
    return Element(ARROW, {"from": source, "to": target}, (text,))


def item(*content: Node | str | None, anchor: str | None = None) -> Element | None:
    """Something in a list that is more than one text or one node."""
    return _element(ITEM, {ANCHOR: anchor}, content)


def _items(items: Iterable[Node | str | None]) -> list[Element | None]:
    return [each if isinstance(each, Element) and each.tag == ITEM else item(each) for each in items]


def _element(tag: str, attributes: dict[str, str | None], content: Iterable[Node | str | None]) -> Element | None:
    present = [Text(each) if isinstance(each, str) else each for each in content]
    kept = [each for each in present if each is not None and not (isinstance(each, Text) and not each.value.strip())]
    return Element(tag, attributes, kept) if kept else None
