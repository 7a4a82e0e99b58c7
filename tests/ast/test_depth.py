"""A tree has at most 64 levels: every format, and comparison, reports a deeper one; none runs out of stack."""

from collections.abc import Callable
from io import StringIO

import pytest
from attrs import field, frozen

from lib.workflow.app.forms import forms
from lib.workflow.ast.fields import MAX_DEPTH, Node
from lib.workflow.ast.nodes import Document, Element, Text, content
from lib.workflow.ast.parse import parse
from lib.workflow.ast.parse.extract import extract
from lib.workflow.ast.step import CurrentAction
from lib.workflow.ast.visitor import transform, walk
from lib.workflow.formatters.markup import of
from lib.workflow.render.document import render_document
from lib.workflow.render.json import parse_json, render_json
from lib.workflow.render.prose import render_prose
from lib.workflow.render.xml import render

FORMS: list[Callable[[Node], str]] = [*(load() for load in forms().values()), render_prose, of]
DEEP = (MAX_DEPTH + 1, 200, 5_000)


def nested(levels: int, inner: str = "x") -> Element:
    node = Element("a", {}, inner)
    for _ in range(levels - 1):
        node = Element("a", {"of": "b"}, [node])
    return node


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@pytest.mark.parametrize("levels", DEEP)
def test_a_form_of_a_tree_that_is_too_deep_is_refused_with_the_limit(form: Callable[[Node], str], levels: int) -> None:
    with pytest.raises(ValueError, match="64"):
        form(nested(levels))
    assert form(nested(MAX_DEPTH))


@pytest.mark.parametrize("levels", DEEP)
def test_every_function_that_takes_a_tree_refuses_one_that_is_too_deep(levels: int) -> None:
    deep = nested(levels)
    for use in (lambda: Document([deep]), lambda: hash(deep), lambda: transform(deep, lambda node: (node,))):
        with pytest.raises(ValueError, match="64"):
            use()
    assert len(list(walk(deep))) == levels + 1


@pytest.mark.parametrize("levels", [200, 5_000])
def test_trees_that_are_too_deep_are_not_called_equal(levels: int) -> None:
    with pytest.raises(ValueError, match="64"):
        assert nested(levels) == nested(levels)
    assert nested(levels) != nested(3)
    assert nested(levels) != Element("b", {}, [nested(levels - 1)])
    assert (nested(levels) == 1) is False


def test_nodes_without_a_tag_of_their_own_do_not_hide_the_depth() -> None:
    @frozen
    class Untagged(Node):
        children: tuple[Node, ...] = field(converter=content)

    deep: Node = Element("a")
    for _ in range(MAX_DEPTH):
        deep = Untagged([Element("a", {}, [deep])])
    for use in (lambda: Document([deep]), lambda: hash(deep)):
        with pytest.raises(ValueError, match="64"):
            use()


def test_the_deepest_tree_is_compared_hashed_and_shown() -> None:
    deepest, same, other = nested(MAX_DEPTH), nested(MAX_DEPTH), nested(MAX_DEPTH, "y")
    assert deepest == same
    assert deepest != other
    assert hash(deepest) == hash(same)
    assert "'x'" in repr(deepest)
    document = Document([deepest])
    assert parse(render(document)) == document == parse_json(render_json(document))
    assert render_document(document, validate=False) is not None


@pytest.mark.parametrize("levels", [MAX_DEPTH + 2, 200, 5_000])
def test_a_tree_that_is_too_deep_is_shown_as_far_as_it_may_go(levels: int) -> None:
    assert "<more than 64 levels>" in repr(nested(levels))
    print(nested(levels), file=StringIO())


def test_text_that_nests_too_deep_is_refused() -> None:
    text = "<a>" * 500 + "</a>" * 500
    for read in (parse, lambda given: extract(given, CurrentAction)):
        with pytest.raises(ValueError, match="64"):
            read(f"<current_action>{text}</current_action>")
    with pytest.raises(ValueError, match="64"):
        parse_json('{"type": "Document", "blocks": [' + '{"type": "CurrentAction", "content": [' * 5_000)


def test_a_node_is_shown_with_its_fields() -> None:
    assert repr(Element("a", {"b": "c"}, ["d", Element("e")])) == (
        "Element(tag='a', attributes=(('b', 'c'),), "
        "children=(Text(value='d'), Element(tag='e', attributes=(), children=())))"
    )
    assert repr(Text("x")) == "Text(value='x')"
