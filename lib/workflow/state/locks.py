"""One process at a time: an advisory lock on a file that is never renamed. The system frees it when its holder dies."""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
SHORTEST, LONGEST = 0.002, 0.05
"""Seconds between two tries: who waits takes the processor from the holder, and from those that are still starting."""

if sys.platform == "win32":
    import msvcrt

    def at_once(handle: int) -> bool:
        """Lock an open file if nobody else holds it; whether it did. The lock ends when the file is closed."""
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    _is_free = at_once
else:
    import fcntl

    def at_once(handle: int, how: int = fcntl.LOCK_EX) -> bool:
        """Lock an open file if nobody else holds it; whether it did. The lock ends when the file is closed."""
        try:
            fcntl.flock(handle, how | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _is_free(handle: int) -> bool:
        """Whether nobody holds it. Any number of processes can ask at once: a shared lock keeps none of them out."""
        return at_once(handle, fcntl.LOCK_SH)


class LockError(OSError):
    """There can be no lock: its file cannot be opened or locked."""


class BusyError(OSError):
    """Another process held the lock all the time."""


def is_held(path: str) -> bool:
    """Whether a process holds the lock on the file. Makes no file, and is never taken for a holder by another call."""
    try:
        handle = os.open(path, os.O_RDONLY | NO_FOLLOW)
    except OSError:
        return False
    try:
        return not _is_free(handle)
    except OSError:  # a file system without locks
        return False
    finally:
        os.close(handle)


@contextmanager
def locked(path: str, wait: float) -> Iterator[None]:
    """Holds the lock on the file, which is made where there is none and stays.

    Raises BusyError when it is not free within `wait` seconds, LockError when there can be no lock.
    """
    try:
        handle = _acquired(path, time.monotonic() + wait)
    except BusyError:
        raise BusyError(errno.EBUSY, f"another process has held its lock for {wait:g} seconds", path) from None
    except OSError as error:
        raise LockError(error.errno, error.strerror) from None
    try:
        yield
    finally:
        os.close(handle)


def _acquired(path: str, deadline: float) -> int:
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | NO_FOLLOW, 0o600)
        try:
            _wait_for(handle, deadline)
            if _is_at(handle, path):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _wait_for(handle: int, deadline: float) -> None:
    pause = SHORTEST
    while not at_once(handle):
        if time.monotonic() > deadline:
            raise BusyError
        time.sleep(pause)
        pause = min(2 * pause, LONGEST)


def _is_at(handle: int, path: str) -> bool:
    """Whether the locked file still is the one that others will open: somebody may have deleted it meanwhile."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False
