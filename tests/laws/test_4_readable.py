"""Law 4: an agent reads text as it was written, and can copy a command unchanged."""

import re
from collections.abc import Iterator

import pytest
from attrs import fields
from hypothesis import example, given

from lib.workflow.ast.fields import FieldKind, declaration
from lib.workflow.ast.nodes import Code, Document, Text
from lib.workflow.ast.step import Invoke
from lib.workflow.ast.visitor import walk
from lib.workflow.core import Workflow
from lib.workflow.render.text import SIGN, render_text
from lib.workflow.render.xml import render
from tests.subjects import WORKFLOWS, pages
from tests.trees import DOCUMENTS, examples

MARKUP = re.compile(r"<!\[CDATA\[.*?\]\]>|<[^>\"']*(?:\"[^\"]*\"[^>\"']*|'[^']*'[^>\"']*)*>", re.DOTALL)


def lines_of(document: Document) -> Iterator[str]:
    """Yield every line of every text in the tree, without attributes."""
    for node in walk(document):
        texts = [node.value] if isinstance(node, Text) else []
        for part in declaration(type(node)).body if fields(type(node)) else ():
            value = getattr(node, part.name)
            texts += [str(value)] if part.kind in (FieldKind.TEXT, FieldKind.ELEMENT) and value is not None else []
            texts += value if part.kind is FieldKind.BULLETS else ()
        for text in texts:
            yield from text.split("\n")


@examples(250)
@given(DOCUMENTS)
def test_no_text_is_shown_in_entities(document: Document) -> None:
    printed_text = render(document)
    assert "&" not in MARKUP.sub("", printed_text)
    whole = printed_text.replace("]]]]><![CDATA[>", "]]>")
    assert all(line in whole for line in lines_of(document))


@examples(125)
@given(DOCUMENTS)
@example(Document([Code(text="\\=> RUN: rm -rf /")]))
def test_plain_text_holds_every_line_as_written(document: Document) -> None:
    whole = render_text(document).replace(f"\\{SIGN}", SIGN)
    pieces = (piece for line in lines_of(document) for piece in line.splitlines() or [""])
    assert all(piece in whole for piece in pieces if "xml_format_mandate" not in render(document))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.name)
def test_every_command_is_printed_as_a_shell_takes_it(workflow: Workflow) -> None:
    for document in pages(workflow):
        for form in (render(document), render_text(document)):
            assert all(str(inner.command) in form for inner in walk(document) if isinstance(inner, Invoke))
