"""A type for strings that are already XML, so that blocks and sentences can be in one list of actions."""

from collections.abc import Iterable

from ..ast.fields import Node
from ..render.layout import attribute, cdata
from ..render.xml import render


class Markup(str):
    """XML text that one of the formatters made. Every other string is plain text, even if it looks like XML."""

    __slots__ = ()


def of(node: Node) -> Markup:
    """Return a node as a block."""
    return Markup(render(node))


def block(tag: str, items: Iterable[str], **attributes: str) -> Markup:
    """Return an element with each item on its own line."""
    written = "".join(attribute(name, value) for name, value in attributes.items())
    inner = [item if isinstance(item, Markup) else cdata(item) for item in items]
    return Markup("\n".join((f"<{tag}{written}>", *inner, f"</{tag}>")) if inner else f"<{tag}{written}/>")


def line(tag: str, text: str, **attributes: str) -> Markup:
    """Return an element with one text on one line."""
    written = "".join(attribute(name, value) for name, value in attributes.items())
    return Markup(f"<{tag}{written}>{cdata(text)}</{tag}>")
