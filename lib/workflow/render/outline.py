"""A node as an element: its tag, its attributes and what stands in it, from the declaration of its class."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from ..ast.declare import Kind, Node, Part, declaration, per_class
from .layout import INDENT, fits_attribute, indented


class Outline(NamedTuple):
    """An element, one level deep: what stands in it are nodes, texts, and elements that are no nodes."""

    tag: str
    attributes: list[tuple[str, str]]
    items: "list[Item]"
    mixed: bool = False
    """Whether the items are text and nodes in the author's order, which layout must not move."""


Item: TypeAlias = Node | Outline | str


def outline(node: Node) -> Outline:
    """The node as an element. A text, a document and an `Element` are none: every form treats those itself."""
    return _outliner(type(node))(node)


@per_class
def _outliner(cls: type[Node]) -> Callable[[Node], Outline]:
    """What outlines the nodes of a class: its declaration, read once."""
    declared = declaration(cls)
    attributes = [(part.name, attrgetter(part.name)) for part in declared.attributes]
    shorthand = {stands_for: tag for tag, stands_for in cls.shorthand.items()}
    adders = [_adder(part) for part in declared.body]
    opened = attrgetter(declared.open) if declared.open else None
    counted = attrgetter(cls.count_of) if cls.count_of else None
    mixed = declared.flow is not None and declared.flow.kind is not Kind.BULLETS

    def outlined(node: Node) -> Outline:
        tag = cls.tag
        given: list[tuple[str, str]] = []
        for name, value_of in attributes:
            value = value_of(node)
            if shorthand and (name, value) in shorthand:
                tag = shorthand[name, value]
            elif value is not None:
                given.append((name, str(value)))
        if counted is not None:
            given.append(("count", str(len(counted(node)))))
        if opened is not None:
            given += opened(node)
        made = Outline(tag, given, [], mixed)
        for add in adders:
            add(node, made)
        return made

    return outlined


def _adder(part: Part) -> Callable[[Node, Outline], None]:
    """What adds one part of a node to its outline."""
    value_of = attrgetter(part.name)
    make: _Maker = _ITEMS.get(part.kind, _one)

    def add(node: Node, made: Outline) -> None:
        value = value_of(node)
        if value is not None:
            make(part, value, made)

    return add


_Maker: TypeAlias = Callable[[Part, Any, Outline], None]
"""Adds a part's value; its type goes with the part's kind."""


def _children(part: Part, value: tuple[Node, ...], made: Outline) -> None:
    items: list[Item] = [*value]
    if part.numbered:
        items = [_numbered(child, number) for number, child in enumerate(value, 1)]
    if part.wrapper:
        made.items.append(Outline(part.wrapper, [], items))
    else:
        made.items.extend(items)


def _bullets(_: Part, value: tuple[str, ...], made: Outline) -> None:
    made.items.extend("- " + indented(item).removeprefix(INDENT) for item in value)


def _command(_: Part, value: object, made: Outline) -> None:
    command = str(value)
    if fits_attribute(command):
        made.attributes.append(("cmd", command))
    else:
        made.items.append(Outline("cmd", [], [command], True))


def _element(part: Part, value: object, made: Outline) -> None:
    made.items.append(Outline(part.name, [], [str(value)] if value != "" else [], True))


def _one(_: Part, value: Node | str, made: Outline) -> None:
    if value != "":
        made.items.append(value)


_ITEMS: Final[Mapping[Kind, _Maker]] = {
    Kind.CHILDREN: _children,
    Kind.CONTENT: _children,
    Kind.BULLETS: _bullets,
    Kind.COMMAND: _command,
    Kind.ELEMENT: _element,
}


def _numbered(node: Node, number: int) -> Outline:
    made = outline(node)
    made.attributes.insert(0, ("index", str(number)))
    return made
