"""An outline of a node as an element, one level deep, for formats that need the whole element at once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ..ast.fields import FieldKind, FieldSpec, Node, declaration
from ..ast.nodes import Element
from .layout import fits_attribute
from .writer import attributes_of, bullet, tag_of

if TYPE_CHECKING:
    from ..ast.step import StepHeader
    from ..types import AgentRole, Tier


class Outline:
    """An element: its tag, its attributes, and its items."""

    __slots__ = ("attributes", "items", "tag")

    def __init__(self, tag: str, attributes: Sequence[tuple[str, str]] = (), items: "Sequence[Item]" = ()) -> None:
        self.tag = tag
        self.attributes = list(attributes)
        self.items: list[Item] = list(items)
        """Texts, nodes, and elements that are not nodes, in order."""


Item: TypeAlias = Node | Outline | str


def outline(node: Node, attributes: Sequence[tuple[str, str]] = ()) -> Outline:
    """Return the outline of the node, with `attributes` first."""
    if isinstance(node, Element):
        return Outline(node.tag, (*attributes, *node.attributes), node.children)
    body = declaration(type(node)).body
    items = [item for part in body for item in _items(part, getattr(node, part.name))]
    return Outline(tag_of(node), (*attributes, *attributes_of(node)), items)


def _items(part: FieldSpec, value: Any) -> Sequence[Item]:
    """Return the items of one field of the body, from its value."""
    if value is None:
        return ()
    match part.kind:
        case FieldKind.TEXT:
            return (value,) if value else ()
        case FieldKind.BULLETS:
            return [bullet(item) for item in value]
        case FieldKind.ELEMENT:
            return (Outline(part.name, (), (str(value),) if str(value) else ()),)
        case FieldKind.COMMAND:
            return () if fits_attribute(str(value)) else (Outline("cmd", (), (str(value),)),)
        case FieldKind.CHILD:
            return (value,)
        case _:
            pass
    inner = [outline(node, [("index", str(n))]) for n, node in enumerate(value, 1)] if part.numbered else value
    return (Outline(part.wrapper, (), inner),) if part.wrapper else inner


def whose(node: "StepHeader") -> str:
    """Return the script of a step, with its phase."""
    return f"{node.script}, {node.phase}" if node.phase else node.script


def whom(agent: "AgentRole", tier: "Tier | None", at_most: int | None = None) -> str:
    """Return the agents that a dispatch launches: role, model tier if given, and limit at a time."""
    some = f", {tier} model" if tier else ""
    return f"{agent}{some}, {at_most} at a time" if at_most else f"{agent}{some}"
