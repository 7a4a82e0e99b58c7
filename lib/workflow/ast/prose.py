"""What documents are made of that people read from top to bottom: sections, lists, labelled texts.

Elements of four tags, which a renderer of documents knows. What would be empty is None, and left out where it stands.
"""

from collections.abc import Iterable
from typing import Final

from .declare import Node
from .nodes import Element, Text

SECTION: Final = "section"
BULLETS: Final = "list"
NUMBERED: Final = "numbered"
ITEM: Final = "item"
LABELLED: Final = "labelled"


def section(title: str, *content: Node | None) -> Element | None:
    """A part of the document with a heading; None where nothing stands in it."""
    return _element(SECTION, {"title": title}, content)


def labelled(label: str, *content: Node | str | None) -> Element | None:
    """A text, or more, behind a label in bold letters."""
    return _element(LABELLED, {"label": label}, content)


def bullets(*items: Node | str | None) -> Element | None:
    """A list without an order."""
    return _element(BULLETS, {}, _items(items))


def numbered(*items: Node | str | None) -> Element | None:
    """A list in an order."""
    return _element(NUMBERED, {}, _items(items))


def item(*content: Node | str | None) -> Element | None:
    """Something in a list that is more than one text or one node."""
    return _element(ITEM, {}, content)


def _items(items: Iterable[Node | str | None]) -> list[Element | None]:
    return [each if isinstance(each, Element) and each.tag == ITEM else item(each) for each in items]


def _element(tag: str, attributes: dict[str, str], content: Iterable[Node | str | None]) -> Element | None:
    present = [Text(each) if isinstance(each, str) else each for each in content]
    kept = [each for each in present if each is not None and not (isinstance(each, Text) and not each.value.strip())]
    return Element(tag, attributes, kept) if kept else None
