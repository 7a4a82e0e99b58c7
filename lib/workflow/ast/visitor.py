"""Visitors and two walks, which read and change trees."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final, Generic, TypeVar

from attrs import fields

from ..util.structs import PerClass
from ..util.suggest import expected
from .fields import CLASSES_BY_METHOD, FieldKind, Node, check_depth, children, declaration, method_name

T = TypeVar("T")


class Visitor(ABC, Generic[T]):
    """One way to read every node. Only `generic` is required.

    A method that is called as a class is, in small letters with underscores and without `Node`, handles its nodes:
    `def step_header(self, node)`. Other nodes arrive at `generic`, those from elsewhere as what they lower to.

    Raises TypeError when a class is defined with a method `(self, node)` whose name fits no node class.
    """

    _handlers: ClassVar[Mapping[type[Node], "Callable[[Visitor[Any], Any], Any]"]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._handlers = PerClass(lambda node_class: _handler(cls, node_class))
        if not cls.__module__.startswith(_OURS):  # a test checks ours: a step imports only the families that it prints
            _check_methods(cls)

    def visit(self, node: Node) -> T:
        """Return this visitor's result for the node."""
        result: T = self._handlers[type(node)](self, node)
        return result

    @abstractmethod
    def generic(self, node: Node) -> T:
        """Return the result for any node, from the declaration of its class."""


def handled(cls: type[Visitor[Any]]) -> Iterator[str]:
    """Yield the names of the methods of a visitor class that look like those for a node class."""
    for name, value in vars(cls).items():
        code = getattr(value, "__code__", None)
        if code and not name.startswith("_") and name not in _BASE and code.co_varnames[: code.co_argcount] == _NODE:
            yield name


def _check_methods(cls: type[Visitor[Any]]) -> None:
    unknown = [name for name in handled(cls) if name not in CLASSES_BY_METHOD]
    if unknown:
        from . import catalogue as catalogue  # the classes may be in a family that is not imported yet

    for name in unknown:
        if name not in CLASSES_BY_METHOD:
            what = f"{cls.__name__}.{name}(node) would never be called, because no node class has this name"
            raise TypeError(f"{what}; {expected(name, CLASSES_BY_METHOD)}; or begin the name of a helper with _")


def _handler(visitor: type[Visitor[Any]], cls: type[Node]) -> "Callable[[Visitor[Any], Any], Any]":
    """Return the function of a visitor class that handles the nodes of a class."""
    name = method_name(cls)
    if name not in _BASE and callable(found := getattr(visitor, name, None)):
        handle: Callable[[Visitor[Any], Any], Any] = found
        return handle
    return visitor.generic if cls.lower is Node.lower else _lowered


def _lowered(visitor: Visitor[T], node: Node) -> T:
    lowered = node.lower()
    return visitor.generic(node) if lowered is None else visitor.visit(lowered)


_OURS: Final = __package__.removesuffix("ast")
_BASE: Final = frozenset({"visit", "generic"})
_NODE: Final = ("self", "node")


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and all nodes below it, parents first. Works at any depth, without recursion."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting += reversed(children(current))


def transform(node: Node, change: Callable[[Node], tuple[Node, ...]]) -> tuple[Node, ...]:
    """Replace each node by the result of a function, lowest first.

    Args:
        node: Root of the tree, which stays as it is.
        change: Function that returns the nodes for a place: `(node,)` keeps the node, an empty tuple removes it.

    Returns:
        The nodes in the place of the root.

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
