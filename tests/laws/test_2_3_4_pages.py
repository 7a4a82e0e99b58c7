"""Laws 2, 3 and 4 of the HTML format: it is well-formed, no string adds to it, and every string can be read in it."""

import re

import pytest
from hypothesis import given
from lxml import etree, html

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Document
from lib.workflow.ast.step import Invoke
from lib.workflow.ast.visitor import transform, walk
from lib.workflow.command import Command
from lib.workflow.render.html import render_html
from tests.laws.test_3_no_forging import plain
from tests.laws.test_4_readable import lines_of
from tests.subjects import of_each_step, printed, shown
from tests.trees import ALL, CONTENT, DOCUMENTS, examples, strategy

MAIN = re.compile(r"<main .*</main>", re.DOTALL)
OWN = frozenset(
    {"id", "class", "href", "tabindex", "role", "aria-label"}
    | {"value", "rel"}  # of a list's item and a link
    | {"lang", "charset", "name", "content", "http-equiv"}  # of the head
)
FROM_TEXT = frozenset(
    {"p", "code", "nav", "details", "summary", "ul", "li", "a", "span"}
    | {"div", "ol", "pre", "blockquote", "strong", "em", "br", "hr", "table", "thead", "tbody", "tr", "th", "td"}
)
"""The elements for a text, by its kind: blank or not, with code, a title, a line of a diff, Markdown."""
MARKS = re.compile(r"[\W_]+")
"""Everything but letters: Markdown drops marks."""


def of(page: str) -> html.HtmlElement:
    return html.document_fromstring(page)


def read_of(root: html.HtmlElement) -> str:
    """Return the text of a page, with the numbers of lists, the languages of code, and the targets of links."""
    for each in root.iter("li", "pre", "a"):
        said = each.get("value") or (each.get("aria-label") if each.xpath("ancestor::*[@class='rich']") else None)
        each.text = f"{said or ''} {each.text or ''}"
        if each.get("rel"):
            each.tail = f" {each.get('href')} {each.tail or ''}"
    return str(root.text_content())


def is_read(document: Document) -> None:
    """Assert that every visible line is in the page, and every command as a shell takes it."""
    page = render_html(document)
    (main,) = MAIN.findall(page)
    etree.fromstring(main)
    read = read_of(of(page))
    for line in lines_of(document):
        assert MARKS.sub("", line) in MARKS.sub("", read)
    assert all(str(inner.command) in read for inner in walk(document) if isinstance(inner, Invoke))


@examples(75)
@given(DOCUMENTS)
def test_a_page_is_well_formed_and_says_every_line(document: Document) -> None:
    is_read(document)


@pytest.mark.parametrize("cls", ALL, ids=lambda cls: cls.__name__)
def test_every_class_of_node_has_a_page(cls: type[Node]) -> None:
    @examples(20)
    @given(strategy(cls, CONTENT))
    def check(node: Node) -> None:
        is_read(Document([node]))

    check()


@pytest.mark.parametrize("command", of_each_step(), ids=shown)
def test_every_step_has_a_page(command: Command) -> None:
    is_read(printed()[command])


@examples(50)
@given(DOCUMENTS)
def test_a_page_has_the_elements_of_the_same_tree_with_harmless_strings(document: Document) -> None:
    (harmless,) = transform(document, plain)
    page, other = of(render_html(document)), of(render_html(harmless))
    assert {each.tag for each in page.iter()} <= {each.tag for each in other.iter()} | FROM_TEXT
    assert {name for each in page.iter() for name in each.attrib} <= OWN
    assert not [link for _, name, link, _ in page.iterlinks() if name and not link.startswith(("#", "http"))]
