"""Events of a journal without the texts of pages and replies, for a status: it reads thousands of lines.

Of such a line only the head is read and checked. All other lines are read as `journal.read` does.
"""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import count
from typing import Final, NamedTuple

from .entry import OPENING, Entry, Event
from .journal import blocks, ends, parsed

COUNTED: Final = (Event.STEP, Event.ATTEMPT, Event.REPLIED)
"""Events of which a status needs no text."""
_NAMES: Final = "|".join(COUNTED)
_HEAD: Final = re.compile(
    rf'\{{"event": "({_NAMES})", '
    r'"key": "([0-9a-z.]{1,200})", "at": "([-0-9T:.]{26}Z)"'
    r'(?:, "who": "([ !#-\[\]-~]{1,400})")?'
    r'(?:\}|, "text": "([ !#-\[\]-~]{1,100})", "command|, "(?!who"))'
)
_EVENTS: Final = {str(each): each for each in COUNTED}
_OTHER: Final = re.compile(rf'\{{"event": (?!"(?:{_NAMES})")[^\n]*\n'.encode())
_NUMBER: Final = '"number": '
_DIGITS: Final = 9
"""Maximum digits of the number of an attempt, which ends its line."""


class Outline(NamedTuple):
    """An event without its text, read as far as it is asked for."""

    head: "re.Match[str]"
    line: str
    """The line without its end."""

    @property
    def event(self) -> Event:
        """Return the kind of the event: a page, an attempt or a reply."""
        return _EVENTS[self.head[1]]

    @property
    def key(self) -> str:
        """Return the key of the activity."""
        return self.head[2]

    @property
    def at(self) -> str:
        """Return the time of the event."""
        return self.head[3]

    @property
    def who(self) -> str:
        """Return the role of the agent, or the title of the step."""
        return self.head[4] or ""

    @property
    def text(self) -> str:
        """Return the name of an attempt's client, if it is recorded."""
        return self.head[5] or ""

    @property
    def until(self) -> str:
        """Return the time of the next attempt, which these events do not have."""
        return ""

    @property
    def number(self) -> int:
        """Return the number of an attempt; 0 if it is not recorded."""
        _, found, digits = self.line[-len(_NUMBER) - _DIGITS - 1 : -1].rpartition(_NUMBER)
        return int(digits) if found and digits.isdecimal() else 0


def outlines(path: str) -> "Iterator[Entry | Outline]":
    """Yield the entries of a journal, of pages and replies only the outline. Raises as `journal.read` does."""
    before = 0
    for block in blocks(path):
        yield from _of_block(path, before, block)
        before += block.count(b"\n")


def _of_block(path: str, before: int, block: bytes) -> "Iterable[Entry | Outline]":
    lines = block.decode("latin-1").split("\n")[:-1]
    if not _are_entries(block, len(lines)):
        return (_outlined(path, number, line) for number, line in enumerate(BytesIO(block), before + 1))
    return [
        Outline(head, line) if head else parsed(path, number, f"{line}\n".encode("latin-1"))
        for number, line, head in zip(count(before + 1), lines, map(_HEAD.match, lines))
    ]


def _are_entries(block: bytes, lines: int) -> bool:
    """Return True if each line of a block has the beginning and the end of an entry, and none a torn line before it."""
    is_whole = block.startswith(OPENING) and block.endswith(b"}\n")
    return is_whole and block.count(b"}\n" + OPENING) == lines - 1 and block.count(OPENING) == lines


def deciding(path: str, size: int) -> "Iterator[Entry | Outline]":
    """Yield the first line and, of the last ones, about `size` bytes, those that can decide the state of a run.

    A page, an attempt or a reply can only if it is the last line. The others are passed over without a check.
    """
    first, last = ends(path, size)
    if first:
        yield _outlined(path, 1, first)
    end = last.rfind(b"\n") + 1
    start = last.rfind(OPENING, 0, end)
    kept = (found[0] for found in _OTHER.finditer(last, 0, max(start, 0)))
    for line in (*kept, *([last[start:end]] if start >= 0 else ())):
        yield _outlined(path, None, line)


def _outlined(path: str, number: int | None, line: bytes) -> "Entry | Outline":
    shown = line.decode("latin-1")  # the head is ASCII
    head = _HEAD.match(shown, max(line.rfind(OPENING), 0))  # behind a torn line
    return Outline(head, shown[:-1]) if head and shown.endswith("}\n") else parsed(path, number, line)
