"""Descriptions of nodes for a writer, piece by piece, from the declaration of their class."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Protocol, TypeAlias

from ..ast.fields import FieldKind, FieldSpec, Node, declaration, per_class
from .layout import fits_attribute

if TYPE_CHECKING:  # a protocol is only for mypy, and slows a step's start

    class ElementWriter(Protocol):
        """A receiver of an element's parts: attributes first, then content, in order."""

        def attribute(self, name: str, value: str) -> None:
            """Add an attribute."""

        def text(self, text: str) -> None:
            """Set the text that fills the element."""

        def lines(self, items: Sequence[str]) -> None:
            """Set the list that fills the element."""

        def content(self, items: Sequence[Node]) -> None:
            """Set the text and nodes that fill the element, in the author's order."""

        def field(self, name: str, text: str) -> None:
            """Add a child that holds one text."""

        def node(self, node: Node) -> None:
            """Add a child node."""

        def wrapper(self, tag: str, nodes: Sequence[Node], numbered: bool) -> None:
            """Add a child that holds nodes, numbered if asked."""


def tag_of(node: Node) -> str:
    """Return the node's tag: its shorthand if an attribute has the shorthand's value."""
    if node.shorthand:
        for tag, (name, value) in node.shorthand.items():
            if getattr(node, name) == value:
                return tag
    return node.tag


def serialize(node: Node, sink: "ElementWriter") -> None:
    """Describe the node to the sink. Not for Text, Document and `Element`, which need their own code."""
    for tell in field_writers(type(node)):
        tell(node, sink)


_Telling: TypeAlias = "Callable[[Node, ElementWriter], None]"


@per_class
def field_writers(cls: type[Node]) -> tuple[_Telling, ...]:
    """Return the functions that describe the nodes of a class; the declaration is read once."""
    declared = declaration(cls)
    attribute_parts = [_attribute(part, cls) for part in declared.attributes]
    if cls.count_of:
        attribute_parts.append(_count(cls.count_of))
    if declared.open:
        attribute_parts.append(_open(declared.open))
    return (*attribute_parts, *(_BY_KIND[part.kind](part) for part in declared.body))


def _attribute(part: FieldSpec, cls: type[Node]) -> _Telling:
    name, value_of = part.name, attrgetter(part.name)
    said = [value for attribute, value in cls.shorthand.values() if attribute == name]

    def tell(node: Node, sink: "ElementWriter") -> None:
        value = value_of(node)
        if value is not None and value not in said:
            sink.attribute(name, str(value))

    return tell


def _count(name: str) -> _Telling:
    return lambda node, sink: sink.attribute("count", str(len(getattr(node, name))))


def _open(name: str) -> _Telling:
    def tell(node: Node, sink: "ElementWriter") -> None:
        for key, value in getattr(node, name):
            sink.attribute(key, value)

    return tell


def _text(part: FieldSpec) -> _Telling:
    value_of = attrgetter(part.name)
    return lambda node, sink: sink.text(value_of(node))


def _lines(part: FieldSpec) -> _Telling:
    value_of = attrgetter(part.name)
    return lambda node, sink: sink.lines(value_of(node))


def _content(part: FieldSpec) -> _Telling:
    value_of = attrgetter(part.name)
    return lambda node, sink: sink.content(value_of(node))


def _command(part: FieldSpec) -> _Telling:
    """Write the command as the attribute `cmd` if it needs no entity there, else as a child."""
    value_of = attrgetter(part.name)

    def tell(node: Node, sink: "ElementWriter") -> None:
        text = str(value_of(node))
        (sink.attribute if fits_attribute(text) else sink.field)("cmd", text)

    return tell


def _field(part: FieldSpec) -> _Telling:
    name, value_of = part.name, attrgetter(part.name)

    def tell(node: Node, sink: "ElementWriter") -> None:
        value = value_of(node)
        if value is not None:
            sink.field(name, str(value))

    return tell


def _child(part: FieldSpec) -> _Telling:
    value_of = attrgetter(part.name)

    def tell(node: Node, sink: "ElementWriter") -> None:
        value = value_of(node)
        if value is not None:
            sink.node(value)

    return tell


def _children(part: FieldSpec) -> _Telling:
    wrapper, numbered, value_of = part.wrapper, part.numbered, attrgetter(part.name)

    def tell(node: Node, sink: "ElementWriter") -> None:
        if wrapper:
            sink.wrapper(wrapper, value_of(node), numbered)
        else:
            for child in value_of(node):
                sink.node(child)

    return tell


_BY_KIND: Mapping[FieldKind, Callable[[FieldSpec], _Telling]] = {
    FieldKind.TEXT: _text,
    FieldKind.BULLETS: _lines,
    FieldKind.CONTENT: _content,
    FieldKind.ELEMENT: _field,
    FieldKind.CHILD: _child,
    FieldKind.CHILDREN: _children,
    FieldKind.COMMAND: _command,
}


def bullet(item: str) -> str:
    """Return one list item: `- `, with further lines aligned below."""
    first, *more = item.split("\n")
    return "\n".join([f"- {first}", *(line and f"  {line}" for line in more)])
