"""An outline of a node as an element, one level deep, for formats that need the whole element at once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from ..ast.fields import Node
from ..ast.nodes import Element
from .writer import bullet, serialize, tag_of

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

    def attribute(self, name: str, value: str) -> None:
        self.attributes.append((name, value))

    def text(self, text: str) -> None:
        if text:
            self.items.append(text)

    def lines(self, items: Sequence[str]) -> None:
        self.items += [bullet(item) for item in items]

    def content(self, items: Sequence[Node]) -> None:
        self.items += items

    def field(self, name: str, text: str) -> None:
        self.items.append(Outline(name, (), (text,) if text else ()))

    def node(self, node: Node) -> None:
        self.items.append(node)

    def wrapper(self, tag: str, nodes: Sequence[Node], numbered: bool) -> None:
        inner: list[Item] = list(nodes)
        if numbered:
            inner = [outline(node, [("index", str(number))]) for number, node in enumerate(nodes, 1)]
        self.items.append(Outline(tag, (), inner))


Item: TypeAlias = Node | Outline | str


def outline(node: Node, attributes: Sequence[tuple[str, str]] = ()) -> Outline:
    """Return the outline of the node, with `attributes` first."""
    if isinstance(node, Element):
        return Outline(node.tag, (*attributes, *node.attributes), node.children)
    made = Outline(tag_of(node), attributes)
    serialize(node, made)
    return made


def whose(node: "StepHeader") -> str:
    """Return the script of a step, with its phase."""
    return f"{node.script}, {node.phase}" if node.phase else node.script


def whom(agent: "AgentRole", tier: "Tier | None", at_most: int | None = None) -> str:
    """Return the agents that a dispatch launches: role, model tier if given, and limit at a time."""
    some = f", {tier} model" if tier else ""
    return f"{agent}{some}, {at_most} at a time" if at_most else f"{agent}{some}"
