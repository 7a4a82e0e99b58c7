"""A Markdown page for the rules: anchors, links, code, rows of tables, prose; each with its line."""

import html
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final
from urllib.parse import unquote

from attrs import frozen
from markdown_it import MarkdownIt
from markdown_it.token import Token

from .anchors import anchors_of

MAX_DEPTH: Final = 100
"""Most levels of nesting; a list within a list takes two. The reader silently skips deeper ones."""
READER: Final = MarkdownIt("commonmark", {"maxNesting": MAX_DEPTH}).enable("table")
_TARGET: Final = re.compile(r"""\b(?:href|src)\s*=\s*["']([^"']*)["']""", re.IGNORECASE)
_NAMED: Final = re.compile(r"""[<>]|\b(?:id|name)\s*=\s*["']([^"']*)["']""", re.IGNORECASE)
"""The start or end of a tag, and the attribute that names it."""
PROSE: Final = frozenset(
    {"paragraph_open", "bullet_list_open", "ordered_list_open", "blockquote_open", "fence", "code_block", "html_block"}
)
"""The blocks of text beside headings and tables."""


class PageError(ValueError):
    """A page that cannot be read; the message gives the reason."""


@frozen
class Spot:
    """A piece of a page."""

    line: int
    text: str


@frozen
class Row:
    """A row of a table's body."""

    line: int
    names: tuple[str, ...]
    """The names in its first cell: targets of links, else code, else the whole cell if it is one word."""
    says: str
    """Its other cells."""


@frozen
class Prose:
    """Neighbouring blocks that are neither heading nor table nor comment."""

    line: int
    lines: int


@frozen
class Page:
    """The parts of a page that the rules need."""

    anchors: frozenset[str]
    links: tuple[Spot, ...]
    """Targets of links and images, decoded."""
    spans: tuple[Spot, ...]
    """Code within sentences."""
    code: tuple[Spot, ...]
    """Lines of code blocks."""
    rows: tuple[Row, ...]
    prose: tuple[Prose, ...]


def read_page(text: str) -> Page:
    """Return the page of a text, in time proportional to its length. Raises PageError if it is nested too deep."""
    tokens = READER.parse(text)
    inline = list(_inline(tokens))
    if any(token.level > MAX_DEPTH - 3 for token in (*tokens, *(child for _, child in inline))):
        raise PageError(f"it is nested deeper than {MAX_DEPTH} levels")
    written = [token.content for token in tokens if token.type == "html_block"]
    written += [child.content for _, child in inline if child.type == "html_inline"]
    named = {html.unescape(name) for block in written for name in _names_in_html(block)}
    return Page(
        anchors=anchors_of(_headings(tokens)) | named,
        links=(*_links(inline), *_links_in_html(tokens)),
        spans=tuple(Spot(line, child.content) for line, child in inline if child.type == "code_inline"),
        code=tuple(_code(tokens)),
        rows=tuple(_rows(tokens)),
        prose=tuple(_prose(tokens)),
    )


def _inline(tokens: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    """Yield every piece of every line of text, with its line."""
    line = 0
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        at = line
        for child in token.children or ():
            yield at, child
            at += child.type in ("softbreak", "hardbreak") or child.content.count("\n")


def _headings(tokens: Sequence[Token]) -> Iterator[str]:
    for opening, token in pairwise(tokens):
        if opening.type == "heading_open":
            yield _text(token)


def _text(token: Token) -> str:
    return "".join(child.content for child in token.children or () if child.type in ("text", "code_inline"))


def _links(inline: Sequence[tuple[int, Token]]) -> Iterator[Spot]:
    for line, child in inline:
        if child.type in ("link_open", "image"):
            yield Spot(line, unquote(str(child.attrs.get("href", child.attrs.get("src", "")))))
        elif child.type == "html_inline":
            yield from (Spot(line, unquote(html.unescape(target))) for target in _TARGET.findall(child.content))


def _links_in_html(tokens: Sequence[Token]) -> Iterator[Spot]:
    for token in tokens:
        if token.type == "html_block" and token.map:
            line, at = token.map[0] + 1, 0
            for found in _TARGET.finditer(token.content):
                line, at = line + token.content.count("\n", at, found.start()), found.start()
                yield Spot(line, unquote(html.unescape(found[1])))


def _names_in_html(written: str) -> Iterator[str]:
    """Yield the values of `id` and `name` within tags."""
    within = False
    for found in _NAMED.finditer(written):
        if found[1] is None:
            within = found[0] == "<"
        elif within:
            yield found[1]


def _code(tokens: Sequence[Token]) -> Iterator[Spot]:
    for token in tokens:
        if token.type in ("fence", "code_block") and token.map:
            first = token.map[0] + (2 if token.type == "fence" else 1)
            yield from (Spot(first + at, line) for at, line in enumerate(token.content.splitlines()))


def _rows(tokens: Sequence[Token]) -> Iterator[Row]:
    body = False
    line = 0
    cells: list[Token] = []
    for token in tokens:
        body = token.type == "tbody_open" or (body and token.type != "tbody_close")
        if body and token.type == "tr_open":
            line = token.map[0] + 1 if token.map else line
            cells = []
        elif body and token.type == "inline":
            cells.append(token)
        elif body and token.type == "tr_close" and cells:
            yield Row(line, _names(cells[0]), " ".join(cell.content for cell in cells[1:]).strip())


def _names(cell: Token) -> tuple[str, ...]:
    children = cell.children or []
    linked = [unquote(str(child.attrs.get("href", ""))) for child in children if child.type == "link_open"]
    coded = [child.content for child in children if child.type == "code_inline"]
    plain = _text(cell).split()
    return tuple(linked or coded or (plain if len(plain) == 1 else ()))


def _prose(tokens: Sequence[Token]) -> Iterator[Prose]:
    start = end = 0
    for token in tokens:
        if token.level or not token.map:
            continue
        comment = token.type == "html_block" and token.content.lstrip().startswith("<!--")
        if token.type in PROSE and not comment:
            start = start or token.map[0] + 1
            end = token.map[1]
        elif token.type in ("heading_open", "table_open") and start:
            yield Prose(start, end - start + 1)
            start = 0
    if start:
        yield Prose(start, end - start + 1)
