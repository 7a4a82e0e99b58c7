"""Markdown in a text as HTML: lists, tables, emphasis, code. Raw HTML stays text, and links lead to the web only.

A text that Markdown would show without one of its letters, such as a table with too many cells, is shown as it is.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_inline import StateInline, emphasis
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

LONGEST: Final = 20_000
"""Maximum characters of a text that is read as Markdown."""
WRAPPED: Final = 72
"""Least characters of a line that its author wrapped; after a shorter one, the line break stays."""
CELLS: Final = 5_000
"""Maximum cells of a table, with empty ones that its rows leave out."""
LINES: Final = 100
"""Maximum lines of a here-document."""
_HERE: Final = re.compile(r"<<'?(\w{1,40})'?\s?$")
WITHOUT: Final = ("image", "entity", "html_inline", "html_block", "lheading", "reference")
"""Rules that fetch something, hide something, or take a line of dashes for a heading's."""
WEB: Final = ("http://", "https://")
BREAKS: Final = ("softbreak", "hardbreak")


def block(inner: str, name: str) -> str:
    """Return a code block, from escaped code, that a keyboard can scroll."""
    return f'<pre tabindex="0" role="group" aria-label="{escape(name)}"><code>{inner}</code></pre>'


def from_markdown(text: str) -> str:
    """Return the text as HTML."""
    if not text.strip():
        return ""
    if len(text) <= LONGEST:
        tokens = list(map(_safe, _reader().parse(text)))
        if _letters(text) == _letters("".join(_contents(tokens))):
            return f'<div class="rich">{_reader().renderer.render(tokens, _reader().options, {})}</div>'
    return f'<p class="text">{escape(text)}</p>'


class _Renderer(RendererHTML):
    """Renderer of tokens with the page's own code blocks."""

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return block(escape(tokens[idx].content.removesuffix("\n")), tokens[idx].info.strip() or "code")

    def code_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return self.fence(tokens, idx, options, env)

    def softbreak(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        length, at = 0, idx - 1
        while at >= 0 and tokens[at].type not in BREAKS:
            length, at = length + len(tokens[at].content), at - 1
        return "\n" if length >= WRAPPED else "<br/>\n"


@cache
def _reader() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "maxNesting": 20, "xhtmlOut": True}, renderer_cls=_Renderer)
    made.enable("table").disable(WITHOUT)
    made.inline.ruler.at("emphasis", _emphasis)
    made.block.ruler.before("table", "here_document", _here_document, {"alt": ["paragraph", "list", "blockquote"]})
    made.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    made.validateLink = lambda url: url.lower().startswith(WEB)  # type: ignore[method-assign]  # its documented hook
    return made


def _here_document(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a command with a here-document as code: pages show commands to copy, with Markdown as their input."""

    def line(number: int) -> str:
        return state.getLines(number, number + 1, state.blkIndent, False)

    mark = _HERE.search(line(start))
    numbers = range(start + 1, min(start + LINES, end)) if mark else ()
    last = next((number for number in numbers if mark and line(number).strip() == mark[1]), None)
    if last is None:
        return False
    if not silent:
        token = state.push("fence", "code", 0)
        token.content = state.getLines(start, last + 1, state.blkIndent, True)
        token.map = [start, last + 1]
        state.line = last + 1
    return True


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a table, unless a short text would give a large one: each row is filled up to the columns of the head."""
    columns = state.getLines(start, start + 1, 0, False).count("|") + 1
    return columns * (end - start) <= CELLS and table(state, start, end, silent)


def _emphasis(state: StateInline, silent: bool) -> bool:
    """Read emphasis by asterisks; underscores belong to names, such as `__init__`."""
    return state.src[state.pos] != "_" and emphasis.tokenize(state, silent)


def _safe(token: Token) -> Token:
    """Return a token without a style, and not as a heading, which would be in the page's contents."""
    token.attrs.pop("style", None)
    token.attrs.pop("start", None)
    if token.type.startswith("heading_"):
        token.tag = "p"
        if token.nesting > 0:
            token.attrs["class"] = "heading"
    if token.type == "list_item_open" and token.info:
        token.attrs["value"] = token.info
    for child in token.children or ():
        if child.type == "link_open":
            child.attrs["rel"] = "noreferrer noopener"
    return token


def _contents(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield all texts of the tokens, with the numbers of lists, languages of code and targets of links."""
    for token in tokens:
        if token.children is None:
            yield token.info if token.type in ("fence", "list_item_open") else ""
            yield token.content
        targets = []
        for child in token.children or ():
            yield child.content
            if child.type == "link_open":
                targets.append("" if child.info == "auto" else str(child.attrs.get("href", "")))
            elif child.type == "link_close":
                yield targets.pop()


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
