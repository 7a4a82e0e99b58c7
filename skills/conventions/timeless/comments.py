"""The comments of a text in any language of the table: one pass from left to right, in linear time."""

import re
from collections.abc import Iterator
from functools import cache

from .languages import Language, Text
from .passages import Line


def comments(text: str, language: Language) -> Iterator[list[Line]]:
    """Yield each comment's lines. Comments of one line each, directly below one another, count as one."""
    mark, texts, blocks = _marks(language)
    number, begin, counted, at = 1, 0, 0, 0
    """The current line, its start, and the position up to which lines are counted."""
    held: list[Line] = []
    while found := mark.search(text, at):
        newlines = text.count("\n", counted, found.start())
        if newlines:
            number, begin = number + newlines, text.rindex("\n", counted, found.start()) + 1
        counted = found.start()
        opened, at = found[0], found.end()
        if opened in texts:
            at = _end(text, at, texts[opened])
        elif opened in blocks:
            end = text.find(blocks[opened], at)
            inside = text[at : len(text) if end < 0 else end]
            at += len(inside) + len(blocks[opened])
            yield held
            held = []
            first = found.end() - begin + 1
            yield [Line(number + row, 1 if row else first, line) for row, line in enumerate(inside.split("\n"))]
        else:
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
            line = Line(number, found.end() - begin + 1, text[found.end() : at])
            if (
                not held
                or (held[-1].number, held[-1].column) != (number - 1, line.column)
                or (text[begin : found.start()].strip())
            ):
                yield held
                held = []
            held.append(line)
    yield held


def _end(text: str, at: int, kind: Text) -> int:
    """Return the end of a string that starts before `at`: the line end ends all but long ones."""
    for found in _inside(kind).finditer(text, at) if kind.end else ():
        if found[0] == kind.end or found[0] == "\n":
            return found.end()
    return len(text) if kind.end else at


@cache
def _inside(kind: Text) -> re.Pattern[str]:
    parts = [f"{re.escape(kind.escape)}[\\s\\S]"] if kind.escape else []
    return re.compile("|".join([*parts, re.escape(kind.end), *([] if kind.long else ["\n"])]))


@cache
def _marks(language: Language) -> tuple[re.Pattern[str], dict[str, Text], dict[str, str]]:
    """Return the pattern of comment and string starts, longest first; strings by start; ends of blocks by start."""
    texts = {text.begin: text for text in language.texts}
    blocks = dict(language.block)
    before = r"(?<!\S)" if language.spaced else ""
    parts = [(len(mark), before + re.escape(mark)) for mark in language.line]
    parts += [(len(mark), re.escape(mark)) for mark in (*texts, *blocks)]
    return re.compile("|".join(part for _, part in sorted(parts, reverse=True))), texts, blocks
