"""Visitors and two walks, which read and change trees."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from attrs import fields

from .fields import FieldKind, Node, check_depth, children, declaration

if TYPE_CHECKING:
    from . import dispatch, nodes, results, step

T = TypeVar("T")


class Visitor(ABC, Generic[T]):
    """One way to read every node. Only `generic` is required; override one method per class to treat it specially.

    Classes without a method arrive at `generic`. A law keeps the methods and the classes in step.
    """

    def visit(self, node: Node) -> T:
        """Return this visitor's result for the node."""
        return node.accept(self)

    @abstractmethod
    def generic(self, node: Node) -> T:
        """Return the result for any node, from the declaration of its class."""

    def text(self, node: "nodes.Text") -> T:
        return self.generic(node)

    def code(self, node: "nodes.Code") -> T:
        return self.generic(node)

    def file(self, node: "nodes.FileContent") -> T:
        return self.generic(node)

    def element(self, node: "nodes.Element") -> T:
        return self.generic(node)

    def document(self, node: "nodes.Document") -> T:
        return self.generic(node)

    def step_header(self, node: "step.StepHeader") -> T:
        return self.generic(node)

    def xml_mandate(self, node: "step.XmlMandate") -> T:
        return self.generic(node)

    def current_action(self, node: "step.CurrentAction") -> T:
        return self.generic(node)

    def invoke(self, node: "step.Invoke") -> T:
        return self.generic(node)

    def invoke_after(self, node: "step.InvokeAfter") -> T:
        return self.generic(node)

    def complete(self, node: "step.Complete") -> T:
        return self.generic(node)

    def subagent_dispatch(self, node: "dispatch.SubagentDispatchNode") -> T:
        return self.generic(node)

    def template_dispatch(self, node: "dispatch.TemplateDispatchNode") -> T:
        return self.generic(node)

    def roster_dispatch(self, node: "dispatch.RosterDispatchNode") -> T:
        return self.generic(node)

    def refusal(self, node: "results.Refusal") -> T:
        return self.generic(node)

    def entity_result(self, node: "results.EntityResult") -> T:
        return self.generic(node)


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and all nodes below it, parents first. Works at any depth, without recursion."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting += reversed(children(current))


def transform(node: Node, change: Callable[[Node], tuple[Node, ...]]) -> tuple[Node, ...]:
    """Replace each node by the result of `change`, lowest first; an empty tuple removes the node.

    Raises:
        ValueError: If the tree has more than MAX_DEPTH levels.
        TypeError, ValueError: If a node's class refuses its new children, such as a missing one.
    """
    check_depth(node)
    return _transformed(node, change)


def _transformed(node: Node, change: Callable[[Node], tuple[Node, ...]]) -> tuple[Node, ...]:
    changes: dict[str, object] = {}
    for part in declaration(type(node)).body:
        value = getattr(node, part.name)
        if part.kind in (FieldKind.CONTENT, FieldKind.CHILDREN):
            changes[part.name] = [new for child in value for new in _transformed(child, change)]
        elif part.kind is FieldKind.CHILD and value is not None:
            replaced = _transformed(value, change)
            changes[part.name] = replaced[0] if len(replaced) == 1 else (replaced or None)
    return change(_with(node, changes) if changes else node)


def _with(node: Node, changes: Mapping[str, object]) -> Node:
    build: Callable[..., Node] = type(node)
    return build(**{item.name: changes.get(item.name, getattr(node, item.name)) for item in fields(type(node))})
