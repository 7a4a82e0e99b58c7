"""Events of a journal without the texts of pages and replies, for a status: it reads thousands of lines.

Of such a line only the head is read and checked. All other lines are read as `journal.read` does.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from .entry import OPENING, Entry, Event
from .journal import ends, lines, parsed

_HEAD: Final = re.compile(
    r'\{"event": "(step|attempt|replied)", "key": "([0-9a-z.]{1,200})", "at": "([-0-9T:.]{26}Z)"'
    r'(?:, "who": "([ !#-\[\]-~]{1,400})")?'
    r'(?:\}|, "text": "([ !#-\[\]-~]{1,100})", "command|, "(?!who"))'
)
_NUMBER: Final = re.compile(r'"number": ([0-9]{1,9})\}\n')
_EVENTS: Final = {str(each): each for each in (Event.STEP, Event.ATTEMPT, Event.REPLIED)}
_COUNTED: Final = tuple(f'"{name}"'.encode() for name in _EVENTS)
"""The rest of their beginnings, after OPENING."""
_END: Final = 32
"""Bytes at the end of a line that hold a number."""


class Outline(NamedTuple):
    """An event without its text; the text of an attempt is the name of its client."""

    event: Event
    key: str
    at: str
    who: str
    number: int = 0
    """Number of an attempt."""
    text: str = ""
    until: str = ""


def outlines(path: str) -> "Iterator[Entry | Outline]":
    """Yield the entries of a journal, of pages and replies only the outline. Raises as `journal.read` does."""
    return (_outlined(path, number, line) for number, line in lines(path))


def deciding(path: str, size: int) -> "Iterator[Entry | Outline]":
    """Yield the first line and, of the last ones, about `size` bytes, those that can decide the state of a run.

    A page, an attempt or a reply can only if it is the last line. The others are passed over without a check.
    """
    first, last = ends(path, size)
    if first:
        yield _outlined(path, 1, first)
    events = last.split(OPENING)[1:]
    while events and not events[-1].endswith(b"\n"):  # torn lines
        events.pop()
    kept = [event for event in events[:-1] if not event.startswith(_COUNTED) and event.endswith(b"\n")]
    for event in (*kept, *events[-1:]):
        yield _outlined(path, None, OPENING + event)


def _outlined(path: str, number: int | None, line: bytes) -> "Entry | Outline":
    shown = line.decode("latin-1")  # the head is ASCII
    head = _HEAD.match(shown, max(line.rfind(OPENING), 0))  # behind a torn line
    if head is None or not shown.endswith("}\n"):
        return parsed(path, number, line)
    event, key, at, who, text = head.groups("")
    if event != "attempt":
        return Outline(_EVENTS[event], key, at, who)
    found = _NUMBER.search(shown, max(len(line) - _END, 0))
    return Outline(_EVENTS[event], key, at, who, int(found[1]) if found else 0, text)
