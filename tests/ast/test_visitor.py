"""Visitors, and the two walks."""

from typing import NoReturn

import pytest
from attrs import frozen

from lib.workflow.ast.catalogue import CLASSES
from lib.workflow.ast.dispatch import SubagentDispatchNode
from lib.workflow.ast.fields import Node, declaration, method_name
from lib.workflow.ast.guidance import Forbidden
from lib.workflow.ast.nodes import Document, Element, Text
from lib.workflow.ast.step import Branch, Complete, CurrentAction, Invoke, InvokeAfter
from lib.workflow.ast.visitor import Visitor, handled, transform, walk
from lib.workflow.command import Command
from lib.workflow.render.html import HtmlRenderer
from lib.workflow.render.json import JsonRenderer
from lib.workflow.render.markdown import MarkdownRenderer
from lib.workflow.render.prose import ProseRenderer
from lib.workflow.render.text import TextRenderer
from lib.workflow.render.xml import XmlRenderer
from lib.workflow.types import AgentRole, Outcome
from tests.wording import elided

INVOKE = Invoke(Command("a", launcher=("p",)))
AFTER = InvokeAfter(branches=(Branch(outcome=Outcome.OK, when="w", invoke=INVOKE),))
TREE = Document([CurrentAction(["a", Element("x", {}, ["b", Element("y")])]), AFTER])


class Names(Visitor[str]):
    """A visitor that returns the method for each node."""

    def generic(self, node: Node) -> str:
        return "generic"


def test_a_method_handles_the_class_that_it_is_named_after_and_generic_all_others() -> None:
    class Forbids(Names):
        def forbidden(self, node: Forbidden) -> str:
            return "forbidden"

        def subagent_dispatch(self, node: SubagentDispatchNode) -> str:
            return "dispatch"

    dispatch = SubagentDispatchNode(agent=AgentRole.EXPLORE, invoke=INVOKE)
    nodes = (Forbidden(("x",)), dispatch, Text("x"), Complete())
    assert [Forbids().visit(node) for node in nodes] == ["forbidden", "dispatch", "generic", "generic"]
    assert Forbidden(("x",)).accept(Forbids()) == "forbidden"
    assert {Names().visit(node) for node in walk(TREE)} == {"generic"}


def test_a_method_that_no_node_would_reach_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(TypeError, match=r"Misspelt\.forbiden.*'forbidden'"):

        class Misspelt(Names):
            def forbiden(self, node: Node) -> str:
                return ""


@pytest.mark.parametrize(
    "renderer", [TextRenderer, HtmlRenderer, MarkdownRenderer, JsonRenderer, XmlRenderer, ProseRenderer]
)
def test_each_method_of_a_renderer_is_named_after_a_node_class(renderer: type[Visitor[object]]) -> None:
    assert {*handled(renderer)} <= {method_name(cls) for cls in (Text, Element, Document, *CLASSES)}


def test_a_class_that_visitors_would_mistake_for_one_of_ours_is_refused() -> None:
    with pytest.raises(TypeError, match=elided("step_header() … StepHeader … StepHeader")):

        @frozen
        class StepHeader(Node):
            tag = "other"


def test_a_class_from_elsewhere_has_a_method_too() -> None:
    @frozen
    class Loud(Node):
        tag = "loud"

    class Hears(Names):
        def loud(self, node: Loud) -> str:
            return "heard"

    assert Hears().visit(Loud()) == "heard"


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
    from attrs import field

    from lib.workflow.ast.fields import TEXT

    @frozen(kw_only=True)
    class Both(Node):
        text: str = field(metadata=TEXT)
        other: Complete

    @frozen(kw_only=True)
    class Nowhere(Node):
        number: "NoReturn"

    with pytest.raises(TypeError, match="Both: text"):
        declaration(Both)
    with pytest.raises(TypeError, match="'NoReturn'"):
        declaration(Nowhere)
