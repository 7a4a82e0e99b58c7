"""Advisory locks on files that are never renamed. The system frees a lock when its holder dies."""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
SHORTEST, LONGEST = 0.002, 0.05
"""Seconds between two tries: waiting takes CPU time from the holder and from processes that start."""

if sys.platform == "win32":
    import msvcrt

    def at_once(handle: int) -> bool:
        """Try to lock an open file. Returns False if another process holds it. Closing the file ends the lock."""
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    _is_free = at_once
else:
    import fcntl

    def at_once(handle: int, how: int = fcntl.LOCK_EX) -> bool:
        """Try to lock an open file. Returns False if another process holds it. Closing the file ends the lock."""
        try:
            fcntl.flock(handle, how | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _is_free(handle: int) -> bool:
        """Return True if no process holds it. Many can ask at once, because a shared lock excludes none of them."""
        return at_once(handle, fcntl.LOCK_SH)


class LockError(OSError):
    """Raised if a lock file cannot be opened or locked."""


class BusyError(OSError):
    """Raised if another process held the lock for the whole wait."""


def is_held(path: str) -> bool:
    """Return True if a process holds the lock on the file. Makes no file and never appears as a holder itself."""
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
    """Hold the lock on the file, which is made if necessary and stays.

    Raises:
        BusyError: If it is not free within `wait` seconds.
        LockError: If the file cannot be locked.
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
    """Return True if the locked file is still the one at the path: another process may have deleted it."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False
