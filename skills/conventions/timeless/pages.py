"""The prose of a page: Markdown without its code, and plain pages paragraph by paragraph."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from .comments import comments
from .languages import MARKUP
from .passages import Line

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

BLOCKS = frozenset({"paragraph_open", "heading_open", "tr_open"})


@cache
def _reader() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # only pages pay for it

    return MarkdownIt("commonmark", {"maxNesting": 100}).enable("table").disable(["inline"])


def markdown_prose(text: str) -> Iterator[list[Line]]:
    """Yield paragraphs, headings, rows of tables, and comments; neither code nor front matter."""
    lines = text.split("\n")
    if lines[0].rstrip() == "---" and "---" in lines[1:]:
        end = lines.index("---", 1) + 1
        lines[:end] = [""] * end
    for token in _reader().parse("\n".join(lines)):
        if token.map and token.type in BLOCKS:
            first, end = token.map
            yield [Line(first + row + 1, 1, line) for row, line in enumerate(lines[first:end])]
        elif token.map and token.type == "html_block":
            for comment in comments(token.content, MARKUP):
                yield [line._replace(number=line.number + token.map[0]) for line in comment]


def plain_prose(text: str) -> Iterator[list[Line]]:
    """Yield the lines that are not indented, because indented ones are mostly code or a directive's."""
    yield [Line(row, 1, "" if line[:1].isspace() else line) for row, line in enumerate(text.split("\n"), 1)]
