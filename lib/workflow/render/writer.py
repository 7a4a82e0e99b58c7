"""What a node is as an element, told to a form piece by piece, from the declaration of its class."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Protocol, TypeAlias

from ..ast.fields import FieldKind, FieldSpec, Node, declaration, per_class
from .layout import fits_attribute

if TYPE_CHECKING:  # a protocol is for mypy alone, and costs a step's start

    class ElementWriter(Protocol):
        """Takes an element as it is described: its attributes first, then what stands in it, in order."""

        def attribute(self, name: str, value: str) -> None:
            """An attribute."""

        def text(self, text: str) -> None:
            """The text that fills the element."""

        def lines(self, items: Sequence[str]) -> None:
            """The list that fills the element."""

        def content(self, items: Sequence[Node]) -> None:
            """The text and nodes that fill the element, in the author's order."""

        def field(self, name: str, text: str) -> None:
            """A child that holds one text."""

        def node(self, node: Node) -> None:
            """A child that is a node."""

        def wrapper(self, tag: str, nodes: Sequence[Node], numbered: bool) -> None:
            """A child that holds nodes, each with its number if asked."""


def tag_of(node: Node) -> str:
    """The tag under which a node stands: a shorthand says the value of an attribute."""
    if node.shorthand:
        for tag, (name, value) in node.shorthand.items():
            if getattr(node, name) == value:
                return tag
    return node.tag


def serialize(node: Node, sink: "ElementWriter") -> None:
    """Tells the sink what the node is. A text, a document and an `Element` are told by no declaration."""
    for tell in field_writers(type(node)):
        tell(node, sink)


_Telling: TypeAlias = "Callable[[Node, ElementWriter], None]"


@per_class
def field_writers(cls: type[Node]) -> tuple[_Telling, ...]:
    """What tells the nodes of a class: its declaration, read once."""
    declared = declaration(cls)
    told = [_attribute(part, cls) for part in declared.attributes]
    if cls.count_of:
        told.append(_count(cls.count_of))
    if declared.open:
        told.append(_open(declared.open))
    return (*told, *(_BY_KIND[part.kind](part) for part in declared.body))


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
    """An attribute `cmd` while the command needs no entity there, else a child."""
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
    """One item of a list: `- `, and further lines below its first."""
    first, *more = item.split("\n")
    return "\n".join([f"- {first}", *(line and f"  {line}" for line in more)])
