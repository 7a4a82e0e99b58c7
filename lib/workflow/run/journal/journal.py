"""The journal of a run, one JSON line per event: appended, and synced to the disk before anything relies on it.

A process that is killed during a write, or a full disk, leaves a torn line. Readers skip it, also if another line was
appended after it.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, Final

from ...errors import RefusedError
from ...state.files import NO_WAIT, PRIVATE, OddFileError, close_to_others, sync_folder
from ...state.locks import NO_FOLLOW
from .entry import OPENING
from .entry import Entry as Entry
from .entry import Event as Event
from .entry import line_of as line_of
from .entry import read_line as read_line
from .entry import stamp_now as stamp_now
from .entry import stamp_of as stamp_of
from .entry import stamped as stamped

if TYPE_CHECKING:
    import asyncio

JOURNAL: Final = "journal.jsonl"
AGENTS: Final = "agents"
LOCK: Final = ".lock"
"""Contents of a run's folder, with the folder of its agents' files; the process that drives the run holds the lock."""
LONGEST: Final = 4 << 20
"""Maximum bytes of a line, with its end."""
BLOCK: Final = 1 << 16
"""Bytes that are read at once; the memory of larger blocks would not be used again."""


class JournalError(RefusedError):
    """Raised for an unreadable journal; the message gives file and line."""

    def __init__(self, path: str, number: int | None, problem: str) -> None:
        where = f"{path}:{number}" if number else f"{path}, near its end"
        fix = "Restore the line, or give up the run and delete its run directory."
        super().__init__("broken-journal", "broken journal", f"{where}: {problem}", fix)


class LongEntryError(ValueError):
    """Raised for an entry that is too long for a line: nothing was written."""


def read(path: str) -> Iterator[Entry]:
    """Yield the entries, without torn lines. Raises JournalError, OSError."""
    return (parsed(path, number, line) for number, line in lines(path))


def lines(path: str, place: int = 0) -> Iterator[tuple[int, bytes]]:
    """Yield the lines from a place in the file, with their numbers, without a torn one at the end. Raises OSError."""
    return enumerate(chain.from_iterable(map(BytesIO, blocks(path, place))), 1)


def blocks(path: str, place: int = 0) -> Iterator[bytes]:
    """Yield the lines from a place in the file, many at once, without a torn one at the end. Raises OSError.

    Of a line that is much too long, the first part is a block of its own.
    """
    with _opened(path) as file:
        file.seek(place)
        rest = b""
        while more := file.read(BLOCK):
            block = rest + more
            end = block.rfind(b"\n") + 1
            if not end and len(block) >= 2 * LONGEST:
                end = len(block)
            if end:
                yield block[:end]
            rest = block[end:]


def read_from(path: str, place: int) -> tuple[list[Entry], int]:
    """Return the entries after a place in the file, and the place after them. Raises as `read` does."""
    entries, end = [], place
    for number, line in lines(path, place):
        end += len(line)
        entries.append(parsed(path, None if place else number, line))
    return entries, end


def ends(path: str, size: int) -> tuple[bytes, bytes]:
    """Return the first line, empty if it is torn, and the last bytes of the others: about `size`. Raises OSError."""
    with _opened(path) as file:
        first = file.readline(2 * LONGEST)
        rest = file.seek(0, os.SEEK_END) - len(first)
        while True:
            file.seek(-min(size, rest), os.SEEK_END)
            last = file.read(min(size, rest))
            if size >= min(rest, LONGEST) or b"\n" in last[:-1]:  # a line begins in it
                break
            size *= 2
    return first if first.endswith(b"\n") or len(first) == 2 * LONGEST else b"", last


def _opened(path: str) -> BinaryIO:
    """Open a journal. Raises OddFileError for a pipe or a device, without waiting for it."""
    return open(path, "rb", opener=_ordinary)


def _ordinary(path: str, flags: int) -> int:
    handle = os.open(path, flags | NO_FOLLOW | NO_WAIT)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise OddFileError("is not a regular file", path)


def parsed(path: str, number: int | None, line: bytes) -> Entry:
    """Parse a line, without a torn line before it. Raises JournalError; number None means near the end."""
    whole = line[max(line.rfind(OPENING), 0) :]
    if len(whole) > LONGEST:
        raise JournalError(path, number, f"the line has over {LONGEST:,} bytes; no run writes such a line")
    try:
        return read_line(whole)
    except (ValueError, RecursionError) as error:
        raise JournalError(path, number, str(error)) from None


class Journal:
    """A writer of a run's journal; its user holds the run's lock."""

    def __init__(self, path: str) -> None:
        self._path = path
        is_new = not os.path.lexists(path)
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_FOLLOW, PRIVATE)
        close_to_others(path, os.fstat(self._handle))
        self._appended = self._synced = 0
        self._syncing: asyncio.Future[None] | None = None
        if is_new:
            sync_folder(os.path.dirname(path))
        self._cut_torn_line()

    def append(self, entry: Entry) -> None:
        """Add a line. It survives the end of this process; a power loss only after `settled`.

        Raises:
            LongEntryError: If the line would be longer than `read` accepts.
            OSError: If it could not be written, or only in part; that part is removed.
        """
        line = f"{line_of(entry)}\n".encode()
        if len(line) > LONGEST:
            raise LongEntryError(f"{entry.event} {entry.key}: {len(line):,} bytes are too long; at most {LONGEST:,}")
        begin, rest = os.lseek(self._handle, 0, os.SEEK_END), memoryview(line)
        try:
            while rest:
                rest = rest[os.write(self._handle, rest) :]
        except OSError as error:
            with suppress(OSError):  # `read` skips torn lines anywhere
                os.ftruncate(self._handle, begin)
            raise OSError(error.errno, error.strerror, self._path) from None
        self._appended += 1

    async def settled(self) -> None:
        """Wait until all appended lines are on the disk: one sync serves all waiting tasks."""
        import asyncio  # a command that only reads need not pay for it

        wanted = self._appended
        while self._synced < wanted:
            if self._syncing is None:
                self._syncing = asyncio.ensure_future(self._sync())
            await asyncio.shield(self._syncing)

    async def _sync(self) -> None:
        import asyncio

        covered = self._appended
        try:
            await asyncio.to_thread(os.fsync, self._handle)
            self._synced = covered
        finally:
            self._syncing = None

    async def close(self) -> None:
        """Close the file after a sync."""
        try:
            await self.settled()
        finally:
            handle, self._handle = self._handle, -1
            os.close(handle)

    def _cut_torn_line(self) -> None:
        """Remove a last line without an end."""
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
