"""What has happened in a run, one JSON line each: appended, and on the disk before anybody relies on it.

A process that is killed while it writes leaves a torn last line, which says nothing: it is cut off.
"""

import asyncio
import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from attrs import evolve, fields, frozen

from ..files import PRIVATE, close_to_others
from ..locks import NO_FOLLOW

JOURNAL: Final = "journal.jsonl"
LOCK: Final = ".lock"
"""Files of a run's folder; whoever drives the run holds the lock."""
LONGEST: Final = 4 << 20
"""Bytes of a line."""


class JournalError(ValueError):
    """A journal that cannot be read; the message names file and line."""


class Event(StrEnum):
    """What happened."""

    BEGUN = "begun"
    """The run: `text` is its specification."""
    RESUMED = "resumed"
    STEP = "step"
    """A step's command was run: `text` is its print."""
    ATTEMPT = "attempt"
    """An agent was launched."""
    FAILED = "failed"
    """An attempt failed: `text` says why."""
    REPLIED = "replied"
    """An agent has replied."""
    LOST = "lost"
    """All attempts have failed: `text` says why the last did."""
    ASKED = "asked"
    """The user is asked: `text` holds the questions."""
    ANSWERED = "answered"
    DONE = "done"
    """The end: `text` is what was said last."""
    STOPPED = "stopped"
    """The run cannot go on: `text` says why."""
    CANCELLED = "cancelled"


@frozen(kw_only=True)
class Entry:
    """One line."""

    event: Event
    key: str = ""
    """Which activity this is about."""
    at: str = ""
    """When: ISO 8601, UTC."""
    who: str = ""
    """The agent's role, or the step's title."""
    text: str = ""
    errors: str = ""
    """What a step wrote on standard error; what was left unsaid on its standard output."""
    command: str = ""
    number: int = 0
    """A step's exit status; an attempt's number; the process that drives a run."""


_NAMES: Final = tuple(field.name for field in fields(Entry))


def stamped(entry: Entry) -> Entry:
    """The entry, as of now."""
    return evolve(entry, at=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%f}Z")


def line_of(entry: Entry) -> str:
    """The line, without what is empty."""
    told: dict[str, str | int] = {name: getattr(entry, name) for name in _NAMES if getattr(entry, name)}
    return json.dumps(told, ensure_ascii=True)


def read_line(line: bytes | str) -> Entry:
    """The entry that a line is. Raises ValueError for another line."""
    found = json.loads(line)
    if not isinstance(found, dict) or not found.keys() <= set(_NAMES):
        raise ValueError("is no entry of a journal")
    for name, value in found.items():
        if type(value) is not (int if name == "number" else str):
            raise ValueError(f"{name}: {value!r:.40} is of the wrong type")
    return Entry(**{**found, "event": Event(found.get("event", ""))})


def read(path: str) -> Iterator[Entry]:
    """The entries, the torn last one left out. Raises JournalError, OSError."""
    with open(path, "rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(LONGEST), b""), 1):
            if not line.endswith(b"\n"):
                if len(line) == LONGEST:
                    raise JournalError(f"{path}:{number}: over {LONGEST:,} bytes; no run writes such a line")
                return
            try:
                yield read_line(line)
            except (ValueError, RecursionError) as error:
                raise JournalError(f"{path}:{number}: {error}; the run cannot go on from here") from None


class Journal:
    """Writes a run's journal, for whoever holds the run's lock."""

    def __init__(self, path: str) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_FOLLOW, PRIVATE)
        close_to_others(path, os.fstat(self._handle))
        self._appended = self._synced = 0
        self._syncing: asyncio.Future[None] | None = None
        self._mend()

    def append(self, entry: Entry) -> None:
        """Adds a line. It outlives this process; a loss of power only when it is settled."""
        rest = memoryview(f"{line_of(entry)}\n".encode())
        while rest:
            rest = rest[os.write(self._handle, rest) :]
        self._appended += 1

    async def settled(self) -> None:
        """Waits until all that was appended is on the disk: one sync serves all who wait."""
        wanted = self._appended
        while self._synced < wanted:
            if self._syncing is None:
                self._syncing = asyncio.ensure_future(self._sync())
            await asyncio.shield(self._syncing)

    async def _sync(self) -> None:
        covered = self._appended
        try:
            await asyncio.to_thread(os.fsync, self._handle)
            self._synced = covered
        finally:
            self._syncing = None

    async def close(self) -> None:
        """Lets go of the file, when all of it is on the disk."""
        await self.settled()
        os.close(self._handle)

    def _mend(self) -> None:
        """Cuts off a torn last line."""
        end = at = os.lseek(self._handle, 0, os.SEEK_END)
        while at:
            piece = min(at, 1 << 16)
            held = os.pread(self._handle, piece, at - piece)
            found = held.rfind(b"\n")
            if found >= 0:
                at += found + 1 - piece
                break
            at -= piece
        if at < end:
            os.ftruncate(self._handle, at)
            os.fsync(self._handle)
