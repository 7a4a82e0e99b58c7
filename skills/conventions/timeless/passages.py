"""Passages: pieces of prose that are read as one, each word with its place in the file."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

OKAY: Final = "temporal-ok"
"""The word that exempts its line from the check."""
DECORATION: Final = " \t#/*!;%-+>|=~"
_WORD: Final = re.compile(r"\S+")
_BULLET: Final = re.compile(r"(?:[-*+]|\d{1,3}[.)]|:\w{1,30} ?\w{0,60}:|@\w{1,30})\s")
_MENTION: Final = re.compile(r"`[^`]*`|\"[^\"]{1,80}\"|“[^”]{1,80}”|<[^<>]{1,200}>|https?://\S{1,500}")


class Line(NamedTuple):
    """A line of a comment, or of a page; lines and columns count from 1, columns in characters."""

    number: int
    column: int
    text: str


class Passage(NamedTuple):
    """Prose with one space between its words, and the place of each word."""

    text: str
    starts: tuple[int, ...]
    places: tuple[tuple[int, int], ...]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character of the text."""
        word = bisect_right(self.starts, offset) - 1
        line, column = self.places[word]
        return line, column + offset - self.starts[word]


def passages(lines: Iterable[Line]) -> Iterator[Passage]:
    """Yield the passages of neighbouring lines: an empty line ends one, a bullet starts one."""
    held: list[Line] = []
    for line in lines:
        text = line.text.lstrip(DECORATION)
        bare = line.text.lstrip(" \t#/")
        if not text or OKAY in text or _BULLET.match(bare) or text.startswith(">>>"):
            yield from _joined(held)
            held = []
        if text and OKAY not in text and not bare.startswith((">>>", "...")):
            held.append(Line(line.number, line.column + len(line.text) - len(text), text))
    yield from _joined(held)


def _joined(lines: Iterable[Line]) -> Iterator[Passage]:
    words: list[str] = []
    starts: list[int] = []
    places: list[tuple[int, int]] = []
    offset = 0
    for line in lines:
        for found in _WORD.finditer(line.text):
            words.append(found[0])
            starts.append(offset)
            places.append((line.number, line.column + found.start()))
            offset += len(found[0]) + 1
    if words:
        yield Passage(_MENTION.sub(_blank, " ".join(words)), tuple(starts), tuple(places))


def _blank(found: re.Match[str]) -> str:
    """Return a filler of the same length for code, quotations and addresses, which the text only mentions."""
    return "¤" * len(found[0])
