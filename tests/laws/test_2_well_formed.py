"""Law 2: all output is XML to independent parsers, and valid against its schema."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from lxml import etree

from lib.workflow.ast.nodes import Document, Element, Text
from lib.workflow.ast.visitor import walk
from lib.workflow.ast.vocabulary import Vocabulary
from lib.workflow.core import Workflow
from lib.workflow.render.document import render_document
from lib.workflow.render.xml import render
from tests.subjects import WORKFLOWS, pages
from tests.trees import DOCUMENTS, examples


def is_xml(text: str) -> None:
    whole = f"<all>{text}</all>"
    etree.fromstring(whole)
    ElementTree.fromstring(whole)


def vocabulary_of(document: Document) -> Vocabulary:
    return Vocabulary({node.tag for node in walk(document) if isinstance(node, Element)})


@examples(250)
@given(DOCUMENTS)
def test_every_document_is_well_formed(document: Document) -> None:
    is_xml(render(document))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.name)
def test_every_step_prints_well_formed_and_valid_xml(workflow: Workflow) -> None:
    for document in pages(workflow):
        is_xml(render(document))
        render_document(document, vocabulary=vocabulary_of(document))


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\x0b", "\ud800", "\ufffe", "\uffff"])
def test_characters_illegal_in_xml_are_refused_with_field_and_position(character: str) -> None:
    with pytest.raises(ValueError, match=rf"Text\.value: U\+{ord(character):04X}\b.*\b3\b"):
        Text(f"abc{character}")
    with pytest.raises(ValueError, match=r"Element\.attributes\['a'\]:.*0"):
        Element("x", {"a": character})
