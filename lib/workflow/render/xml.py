"""The tree as XML text, the form that steps print and the parser reads."""

from collections.abc import Callable
from operator import attrgetter
from typing import TypeAlias

from ..ast.declare import Kind, Node, Part, declaration, per_class
from ..ast.nodes import Document, Element, Text
from ..ast.visitor import Visitor
from .layout import attribute, cdata, fits_attribute, flow, mixed, structure

_Opening: TypeAlias = Callable[[Node], tuple[str, str]]
"""From a node to its tag and its attributes as printed."""


class XmlRenderer(Visitor[str]):
    """Prints any node from the declaration of its class; nothing but text and open elements is special."""

    def generic(self, node: Node) -> str:
        return _printer(type(node))(self, node)

    def text(self, node: Text) -> str:
        return cdata(node.value)

    def element(self, node: Element) -> str:
        attributes = "".join([attribute(name, value) for name, value in node.attributes])
        return self.content(node.tag, attributes, node.children)

    def document(self, node: Document) -> str:
        return "\n\n".join([block.accept(self) for block in node.blocks])

    def content(self, tag: str, attributes: str, items: tuple[Node, ...]) -> str:
        """An element of mixed content: a single text can stand inline."""
        if len(items) == 1:
            (item,) = items
            if type(item) is Text:
                return flow(tag, attributes, item.value)
        return mixed(tag, attributes, [item.accept(self) for item in items])


def render(node: Node) -> str:
    """The node as XML text. `parse` makes the same node of it."""
    return node.accept(_RENDERER)


_RENDERER = XmlRenderer()


@per_class
def _printer(cls: type[Node]) -> Callable[[XmlRenderer, Node], str]:
    """The printer of a class: its declaration, read once."""
    _, body, flowing = declaration(cls)
    opening = _opening(cls)
    if flowing is None:
        bodies = [_body(part) for part in body]

        def of_structure(renderer: XmlRenderer, node: Node) -> str:
            tag, written = opening(node)
            items: list[str] = []
            for add in bodies:
                written += add(renderer, node, items)
            return structure(tag, written, items)

        return of_structure
    value = attrgetter(flowing.name)
    if flowing.kind is Kind.TEXT:
        return lambda renderer, node: flow(*opening(node), value(node))
    return lambda renderer, node: renderer.content(*opening(node), value(node))


def _opening(cls: type[Node]) -> _Opening:
    parts = [(part.name, attrgetter(part.name)) for part in declaration(cls).attributes]
    shorthand = {stands_for: tag for tag, stands_for in cls.shorthand.items()}

    def opening(node: Node) -> tuple[str, str]:
        tag, written = cls.tag, ""
        for name, value_of in parts:
            value = value_of(node)
            if value is None:
                continue
            if (name, value) in shorthand:
                tag = shorthand[name, value]
            else:
                written += attribute(name, str(value))
        return tag, written

    return opening


def _body(part: Part) -> Callable[[XmlRenderer, Node, list[str]], str]:
    """What adds the part to an element's items, or gives it as an attribute."""
    value_of = attrgetter(part.name)

    def add(renderer: XmlRenderer, node: Node, items: list[str]) -> str:
        value = value_of(node)
        if part.kind is Kind.CHILDREN:
            items += [child.accept(renderer) for child in value]
        elif part.kind is Kind.COMMAND and fits_attribute(str(value)):
            return attribute("cmd", str(value))
        elif part.kind is Kind.COMMAND:
            items.append(flow("cmd", "", str(value)))
        elif value is not None:
            items.append(flow(part.name, "", value) if part.kind is Kind.ELEMENT else value.accept(renderer))
        return ""

    return add
