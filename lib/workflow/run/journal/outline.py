"""Events of a journal without the texts of pages and replies, for a status: it reads thousands of lines.

Of such a line at most the head is read and checked. All other lines are read as `journal.read` does.
"""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Final, NamedTuple

from .entry import OPENING, Entry, Event
from .journal import blocks, ends, parsed

COUNTED: Final = (Event.STEP, Event.ATTEMPT, Event.REPLIED)
"""Events of which a status needs no text."""
_NAMES: Final = "|".join(COUNTED)
_LINE: Final = re.compile(
    rf'\{{"event": "({_NAMES})", '
    r'"key": "([0-9a-z.]{1,200})", "at": "([-0-9T:.]{26}Z)"'
    r'(?:, "who": "([ !#-\[\]-~]{1,400})")?'
    r'(?:\}(?=\n)|, "text": "([ !#-\[\]-~]{1,100})", "command|, "(?!who"))'
    r"([^\n]*)\n?|([^\n]+)\n?"
)
"""A line that is not empty: the parts of an outline, or, without them, the whole line."""
_OTHER: Final = re.compile(rf'\{{"event": (?!"(?:{_NAMES})")[^\n]*\n'.encode())
_COUNTED: Final = tuple(f'{{"event": "{each}", "key": "'.encode() for each in COUNTED)
"""Beginnings of the lines of a page, an attempt and a reply."""
_NUMBER: Final = 'number": '
_DIGITS: Final = 9
"""Maximum digits of the number of an attempt, which ends its line."""


class Outline(NamedTuple):
    """An event without its text: the groups of `_LINE`."""

    event: str
    """Kind of the event: a page, an attempt or a reply."""
    key: str
    """Key of the activity."""
    at: str
    """Time of the event."""
    who: str
    """Role of the agent, or title of the step."""
    text: str
    """Name of an attempt's client, if it is recorded."""
    rest: str
    """Rest of the line, not checked."""
    line: str
    """The whole line if it is not an outline."""

    @property
    def until(self) -> str:
        """Return the time of the next attempt, which these events do not have."""
        return ""

    @property
    def number(self) -> int:
        """Return the number of an attempt; 0 if it is not recorded."""
        _, found, digits = self.rest[-len(_NUMBER) - _DIGITS - 1 : -1].rpartition(_NUMBER)
        return int(digits) if found and digits.isdecimal() else 0


class Others(NamedTuple):
    """Numbers of pages, attempts and replies that are not outlined."""

    pages: int
    attempts: int
    replies: int


def outlines(path: str) -> "Iterator[Entry | Outline]":
    """Yield the entries of a journal, of pages and replies only the outline. Raises as `journal.read` does."""
    before = 0
    for block in blocks(path):
        yield from _of_block(path, before, block)
        before += block.count(b"\n")


def summary(path: str) -> "Iterator[Entry | Outline | Others]":
    """Yield the entries of a journal; of pages, attempts and replies that follow one another only some are outlined.

    They are the first, the last page and the last: enough for the status of a run that no process drives. The heads of
    the others are not checked. Raises as `journal.read` does.
    """
    before = 0
    for block in blocks(path):
        yield from _summed(path, before, block) if _are_entries(block) else _of_block(path, before, block)
        before += block.count(b"\n")


def _summed(path: str, before: int, block: bytes) -> "Iterator[Entry | Outline | Others]":
    place = 0
    for start, end in _deciding(block):
        lines, counts = block.count(b"\n", place, start), [block.count(each, place, start) for each in _COUNTED]
        if sum(counts) < lines:
            yield from _of_block(path, before, block[place:start])
        elif lines:
            yield Others(*counts)
        before += lines + 1
        yield _outlined(path, before, block[start:end])
        place = end


def _deciding(block: bytes) -> Iterator[tuple[int, int]]:
    """Yield the begin and the end of each line that can decide a status; the last one ends with the block."""
    place = 0
    for other in _OTHER.finditer(block):
        yield from _edges(block, place, other.start())
        yield other.span()
        place = other.end()
    yield from _edges(block, place, len(block))


def _edges(block: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the first line, the last page and the last line of a part of a block."""
    last = block.rfind(OPENING, start, end)
    found = {block.find(OPENING, start, end), block.rfind(_COUNTED[0], start, end)} - {-1, last}
    for place in sorted(found):
        yield place, block.index(b"\n", place) + 1
    if last >= 0:
        yield last, end


def _of_block(path: str, before: int, block: bytes) -> "Iterable[Entry | Outline]":
    if not _are_entries(block):
        return (_outlined(path, number, line) for number, line in enumerate(BytesIO(block), before + 1))
    rows = map(Outline._make, _LINE.findall(block.decode("latin-1")))
    return [
        row if row.event else parsed(path, number, f"{row.line}\n".encode("latin-1"))
        for number, row in enumerate(rows, before + 1)
    ]


def _are_entries(block: bytes) -> bool:
    """Return True if each line of a block has the beginning and the end of an entry, and none a torn line before it."""
    lines = block.count(b"\n")
    is_whole = block.startswith(OPENING) and block.endswith(b"}\n")
    return is_whole and block.count(b"}\n" + OPENING) == lines - 1 and block.count(OPENING) == lines


def deciding(path: str, size: int) -> "Iterator[Entry | Outline]":
    """Yield the first line and, of the last ones, about `size` bytes, those that can decide the state of a run.

    The others are passed over without a check.
    """
    first, last = ends(path, size)
    if first:
        yield _outlined(path, 1, first)
    whole = last[: last.rfind(b"\n") + 1]
    for start, end in _deciding(whole):
        yield _outlined(path, None, whole[start:end])


def _outlined(path: str, number: int | None, line: bytes) -> "Entry | Outline":
    shown = line.decode("latin-1")  # the head is ASCII
    found = _LINE.match(shown, max(line.rfind(OPENING), 0)) if shown.endswith("}\n") else None  # behind a torn line
    return Outline._make(found.groups("")) if found and found[1] else parsed(path, number, line)
