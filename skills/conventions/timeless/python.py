"""The comments and docstrings of Python, as its own tokenizer sees them."""

import io
import re
import tokenize
from collections.abc import Iterator
from typing import Final

from .comments import comments
from .languages import HASH
from .passages import Line

_BEGIN: Final = re.compile(r"[A-Za-z]{0,2}(\"\"\"|'''|\"|')")
_OPENING: Final = frozenset({tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING})
_NOTHING: Final = frozenset({tokenize.NL, tokenize.COMMENT})


def python_comments(text: str) -> Iterator[list[Line]]:
    """Yield each comment and each string that is a statement. Invalid Python is read with the table."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        yield from comments(text, HASH)
        return
    before = tokenize.ENCODING
    held: list[Line] = []
    for token in tokens:
        row, column = token.start
        if token.type == tokenize.COMMENT:
            line = Line(row, column + 2, token.string[1:])
            if not held or (held[-1].number, held[-1].column) != (row - 1, column + 2) or token.line[:column].strip():
                yield held
                held = []
            held.append(line)
        elif token.type == tokenize.STRING and before in _OPENING and (begin := _BEGIN.match(token.string)):
            inside = token.string[begin.end() : -len(begin[1])]
            first = column + begin.end() + 1
            yield [Line(row + at, 1 if at else first, line) for at, line in enumerate(inside.split("\n"))]
        if token.type not in _NOTHING:
            before = token.type
    yield held
