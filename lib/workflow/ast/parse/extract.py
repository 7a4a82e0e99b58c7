"""Extraction of one block from an agent's prose."""

import re
from contextlib import suppress
from typing import Final, TypeVar
from xml.parsers import expat

from ..catalogue import BY_TAG
from ..fields import Node, tags_of
from .parser import LIMITS, Limits, ParseError, parse, place

N = TypeVar("N", bound=Node)

MAX_OPENINGS: Final = 64
"""Limit on openings to try, so that thousands of false ones do not cost seconds."""

_MARKUP: Final = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|(?<!`)`[^`\n]+`(?!`)|<(?P<tag>[A-Za-z_][-.0-9A-Za-z_]*)(?=[\s/>]|\Z)",
    re.DOTALL,
)
"""Pattern of quoting markup and opening tags."""
_PIECE: Final = 65_536
"""Characters parsed at a time: most false openings fail early."""
_TAG: Final = re.compile(rb"<[^>\"']*(?:(?:\"[^\"]*\"|'[^']*')[^>\"']*)*>")
"""Pattern of one tag; a `>` inside an attribute does not end it."""


def extract(text: str, cls: type[N], limits: Limits = LIMITS) -> N | None:
    """Return the one block of this class in a text of prose, or None.

    Quoted blocks do not count: a mention inside a line that is not well-formed, a code span, a CDATA section, a
    comment, or anything inside another known block.

    Args:
        text: An agent's reply.
        cls: Node class of the block, such as `NeedsUserInput`.
        limits: Maximum size, depth and number of elements and attributes.

    Raises:
        ParseError: With the place in the text, if a block does not fit its class, a block at the start of its line is
            not well-formed, a second block exists, or MAX_OPENINGS or the limits are exceeded.
    """
    own = tags_of(cls)
    found: N | None = None
    tried, at, budget = 0, 0, limits.size
    while (match := _MARKUP.search(text, at)) is not None:
        at = match.end()
        tag = match["tag"]
        if tag not in own and tag not in BY_TAG:
            continue
        tried, start = tried + 1, match.start()
        if tried > MAX_OPENINGS or budget < 0:
            raise ParseError(
                f"cannot search for <{tag}>: too many opening tags, or too long a text", *place(text, start)
            )
        length, read = _island(text[start : start + limits.size])
        budget -= read
        if tag in own and (length or not text[text.rfind("\n", 0, start) + 1 : start].strip()):
            block = _block(text, start, length, limits)
            if found is not None:
                raise ParseError(f"duplicate <{cls.tag}>: expected exactly one", *place(text, start))
            if not isinstance(block, cls):
                raise ParseError(f"expected {cls.__name__}, got {type(block).__name__}", *place(text, start))
            found = block
        at = max(at, start + length)
    return found


def _island(text: str) -> tuple[int, int]:
    """Return the length of the element at the start of the text (0 if not well-formed) and the bytes read."""
    parser = expat.ParserCreate("UTF-8")
    depth, closed_at = 0, -1

    def start(_: str, __: object) -> None:
        nonlocal depth
        depth += 1

    def end(_: str) -> None:
        nonlocal depth, closed_at
        depth -= 1
        if not depth:
            closed_at = parser.CurrentByteIndex  # the index has moved when the call returns

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    pieces: list[bytes] = []
    with suppress(expat.ExpatError):  # prose follows the element
        for first in range(0, len(text), _PIECE):
            pieces.append(text[first : first + _PIECE].encode(errors="replace"))
            parser.Parse(pieces[-1])
            if closed_at >= 0:
                break
        parser.Parse(b"", True)
    data = b"".join(pieces)
    if closed_at < 0:
        return 0, len(data)
    opening = _TAG.match(data)
    alone = opening is not None and opening[0].endswith(b"/>")
    read = opening.end() if opening and alone else data.index(b">", closed_at) + 1
    return len(data[:read].decode()), read


def _block(text: str, at: int, length: int, limits: Limits) -> Node:
    """Parse the element at `at`. Errors give the place in the whole text."""
    try:
        return parse(text[at : at + length] if length else text[at:], limits).blocks[0]
    except ParseError as error:
        line, column = place(text, at)
        column = error.column + column - 1 if error.line == 1 else error.column
        raise ParseError(error.reason, error.line + line - 1, column, error.path) from None
