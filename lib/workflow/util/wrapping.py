"""Lines wrapped to a number of columns."""

from collections.abc import Iterator
from unicodedata import east_asian_width


def wrapped(line: str, width: int, first: str = "", others: str = "") -> list[str]:
    """Wrap the words of a line into lines of at most `width` columns; longer words are cut.

    A wide character counts as two columns. The first line begins with `first`, the others with `others`.
    """
    made: list[str] = []
    held: list[str] = []
    begin, used = first, _columns(first)
    for word in line.split():
        gap = 1 if held else 0
        columns, most = _columns(word), width - len(others)
        if used + gap + columns <= width:
            held.append(word)
            used += gap + columns
            continue
        room = width - used - gap
        pieces = iter((word,)) if columns <= most else _cut(word, room if room > 0 else most, most)
        if columns > most and room > 0:
            held.append(next(pieces))
        for piece in pieces:
            made += [begin + " ".join(held)] if held else []
            begin, held, used = others, [piece], len(others) + _columns(piece)
    return [*made, begin + " ".join(held)] if held else made


def _columns(text: str) -> int:
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(char: str) -> int:
    return 2 if east_asian_width(char) in "WF" else 1


def _cut(word: str, room: int, others: int) -> Iterator[str]:
    """Yield the word in pieces: the first of at most `room` columns, the others of at most `others`."""
    start = used = 0
    for place, char in enumerate(word):
        columns = _width(char)
        if used + columns > room and place > start:
            yield word[start:place]
            start, used, room = place, 0, others
        used += columns
    yield word[start:]
