"""Visitors, and the two walks."""

import inspect
from typing import NoReturn

import pytest

from lib.workflow.ast.catalogue import CLASSES
from lib.workflow.ast.fields import Node, declaration
from lib.workflow.ast.nodes import Document, Element, Text
from lib.workflow.ast.step import Branch, Complete, CurrentAction, Invoke, InvokeAfter
from lib.workflow.ast.visitor import Visitor, transform, walk
from lib.workflow.command import Command
from lib.workflow.types import Outcome

INVOKE = Invoke(Command("a", launcher=("p",)))
AFTER = InvokeAfter(branches=(Branch(outcome=Outcome.OK, when="w", invoke=INVOKE),))
TREE = Document([CurrentAction(["a", Element("x", {}, ["b", Element("y")])]), AFTER])


class Names(Visitor[str]):
    """A visitor that returns the method for each node."""

    def generic(self, node: Node) -> str:
        return "generic"


METHODS = {
    name: method
    for name, method in inspect.getmembers(Visitor, inspect.isfunction)
    if name not in ("generic", "visit") and not name.startswith("_")
}


def test_each_visitor_method_serves_one_class_and_defaults_to_generic_visit() -> None:
    class Recorder(Names):
        pass

    for name in METHODS:
        setattr(Recorder, name, lambda self, node, name=name: name)
    classes: tuple[type[Node], ...] = (Text, Element, Document, *CLASSES)
    arrived = {cls: cls.accept(object.__new__(cls), Recorder()) for cls in classes}
    special = [name for name in arrived.values() if name != "generic"]
    assert sorted(special) == sorted(METHODS)
    assert {Names().visit(node) for node in walk(TREE)} == {"generic"}


def test_a_visitor_without_a_generic_visit_cannot_be_made() -> None:
    class Unfinished(Visitor[str]):
        pass

    with pytest.raises(TypeError, match="generic"):
        Unfinished()  # type: ignore[abstract]  # what the test is about


def test_a_walk_meets_every_node_once_in_the_order_of_print() -> None:
    assert [type(node).__name__ for node in walk(TREE)] == [
        "Document",
        "CurrentAction",
        "Text",
        "Element",
        "Text",
        "Element",
        "InvokeAfter",
        "Branch",
        "Invoke",
    ]


def test_a_walk_goes_to_any_depth() -> None:
    element = Element("x")
    for _ in range(5000):
        element = Element("x", {}, [element])
    assert sum(1 for _ in walk(element)) == 5001


def test_a_transformation_replaces_adds_and_removes() -> None:
    def change(node: Node) -> tuple[Node, ...]:
        if isinstance(node, Text):
            return (Text(node.value.upper()), Complete())
        return () if isinstance(node, Element) and node.tag == "y" else (node,)

    (changed,) = transform(TREE, change)
    assert changed == Document([CurrentAction(["A", Complete(), Element("x", {}, ["B", Complete()])]), AFTER])


def test_transformation_that_removes_a_required_child_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Branch\.invoke: expected Invoke, got NoneType"):
        transform(TREE, lambda node: () if isinstance(node, Invoke) else (node,))
    with pytest.raises(TypeError, match=r"Branch\.invoke: expected Invoke, got tuple"):
        transform(TREE, lambda node: (node, node) if isinstance(node, Invoke) else (node,))


def test_a_class_that_puts_text_beside_children_is_refused() -> None:
    from attrs import field, frozen

    from lib.workflow.ast.fields import TEXT

    @frozen(kw_only=True, eq=False, repr=False)
    class Both(Node):
        text: str = field(metadata=TEXT)
        other: Complete

    @frozen(kw_only=True, eq=False, repr=False)
    class Nowhere(Node):
        number: "NoReturn"

    with pytest.raises(TypeError, match="text fills the element"):
        declaration(Both)
    with pytest.raises(TypeError, match="cannot be written as XML"):
        declaration(Nowhere)
