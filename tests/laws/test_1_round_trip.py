"""Law 1: what is rendered reads back as the same tree, for every document that can be built."""

import os
from collections.abc import Callable, Mapping

import pytest
from hypothesis import HealthCheck, given, settings

from lib.workflow.ast.declare import Node
from lib.workflow.ast.nodes import Document
from lib.workflow.ast.parse import parse
from lib.workflow.render.document import read_document, render_document
from lib.workflow.render.json import read_json, render_json
from lib.workflow.render.xml import render
from tests.trees import ALL, CONTENT, DOCUMENTS, VOCABULARY, strategy

TREES = 10_000
MANY_TREES = int(os.environ.get("STEPSCRIPT_TREES", "200000"))
SETTINGS = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))


def returns(document: Document) -> None:
    printed = render(document)
    read = parse(printed)
    assert read == document
    assert render(read) == printed


@settings(SETTINGS, max_examples=TREES)
@given(DOCUMENTS)
def test_every_document_reads_back_as_itself(document: Document) -> None:
    returns(document)


@pytest.mark.thorough
@settings(SETTINGS, max_examples=MANY_TREES)
@given(DOCUMENTS)
def test_a_great_many_documents_read_back_as_themselves(document: Document) -> None:
    returns(document)


@pytest.mark.parametrize("cls", ALL, ids=lambda cls: cls.__name__)
def test_every_class_of_node_reads_back_as_itself(cls: type[Node]) -> None:
    @settings(SETTINGS, max_examples=100)
    @given(strategy(cls, CONTENT))
    def check(node: Node) -> None:
        returns(Document([node]))

    check()


FORMS: Mapping[str, Callable[[Document], Document]] = {
    "JSON": lambda document: read_json(render_json(document)),
    "lxml": lambda document: read_document(render_document(document, vocabulary=VOCABULARY)),
}
"""The other forms with a reader, each there and back."""


@pytest.mark.parametrize("form", FORMS)
def test_every_document_reads_back_from_every_form_that_can_be_read(form: str) -> None:
    @settings(SETTINGS, max_examples=1000)
    @given(DOCUMENTS)
    def check(document: Document) -> None:
        assert FORMS[form](document) == document

    check()
