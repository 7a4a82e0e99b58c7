"""Law 1: a rendered document reads back as the same tree, for every document that can be built."""

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given

from lib.workflow.ast.fields import MAX_ATTRIBUTES, Node
from lib.workflow.ast.nodes import Code, Document, Element
from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.step import CurrentAction, Invoke, StepHeader
from lib.workflow.command import Command
from lib.workflow.render.document import parse_document, render_document
from lib.workflow.render.json import parse_json, render_json
from lib.workflow.render.xml import render
from lib.workflow.util.characters import MAX_NUMBER
from tests.trees import ALL, CONTENT, DOCUMENTS, VOCABULARY, examples, strategy


def returns(document: Document) -> None:
    printed = render(document)
    read = parse(printed)
    assert read == document
    assert render(read) == printed


@examples(500)
@given(DOCUMENTS)
def test_every_document_reads_back_as_itself(document: Document) -> None:
    returns(document)


@pytest.mark.parametrize("cls", ALL, ids=lambda cls: cls.__name__)
def test_every_class_of_node_reads_back_as_itself(cls: type[Node]) -> None:
    @examples(30)
    @given(strategy(cls, CONTENT))
    def check(node: Node) -> None:
        returns(Document([node]))

    check()


FORMS: Mapping[str, Callable[[Document], Document]] = {
    "JSON": lambda document: parse_json(render_json(document)),
    "lxml": lambda document: parse_document(render_document(document, vocabulary=VOCABULARY)),
}
"""The other formats with a reader, each there and back."""


@pytest.mark.parametrize("form", FORMS)
def test_every_document_reads_back_from_every_form_that_can_be_read(form: str) -> None:
    @examples(300)
    @given(DOCUMENTS)
    def check(document: Document) -> None:
        assert FORMS[form](document) == document

    check()


INVOKE = Invoke(Command("a", ("<",), ("p",)))


class TextOfElsewhere(str):
    """A text as from lxml."""

    __slots__ = ()


REFUSAL = Refusal(code="c", target="t", message="m", fix="f")


def nest(levels: int, node: Node) -> Node:
    for _ in range(levels):
        node = Element("x", {}, [node])
    return node


EDGES: Mapping[str, Callable[[], Node]] = {
    "as deep as can be, with a command in an element of its own": lambda: nest(63, INVOKE),
    "as deep as can be, with texts in elements of their own": lambda: nest(63, REFUSAL),
    "as many attributes as can be": lambda: Element("x", {f"a{number}": "" for number in range(MAX_ATTRIBUTES)}),
    "as large a number as can be": lambda: StepHeader(script="s", step=1, total=MAX_NUMBER - 1, title="t"),
    "a string of another library": lambda: Code(text=TextOfElsewhere("a\r\nb")),
    "many elements with texts in elements of their own": lambda: CurrentAction([REFUSAL] * 70_000),
}


@pytest.mark.parametrize("name", EDGES)
def test_largest_buildable_documents_can_be_read(name: str) -> None:
    returns(Document([EDGES[name]()]))


@pytest.mark.parametrize(
    "build",
    [
        lambda: Document([nest(64, INVOKE)]),
        lambda: Element("x", {f"a{number}": "" for number in range(MAX_ATTRIBUTES + 1)}),
        lambda: StepHeader(script="s", step=1, total=MAX_NUMBER, title="t"),
        lambda: Code(text=TextOfElsewhere("\x00")),
        lambda: Element("x" * 201),
    ],
)
def test_unreadable_documents_cannot_be_built(build: Callable[[], Node]) -> None:
    with pytest.raises(ValueError, match=r"^\w+(\.\w+)*: "):
        build()
