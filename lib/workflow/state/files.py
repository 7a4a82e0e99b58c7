"""Files that are read whole or not at all, and replaced whole or not at all; folders that only their owner reads."""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from .locks import NO_FOLLOW, at_once

NO_WAIT = getattr(os, "O_NONBLOCK", 0)
BINARY = getattr(os, "O_BINARY", 0)
FOLDER = getattr(os, "O_DIRECTORY", None)
PRIVATE: Final = 0o600
"""The mode of a file that only its owner reads: state, journals, prompts, replies."""
PRIVATE_FOLDER: Final = 0o700
OTHERS: Final = 0o077
"""The bits of a mode that let others in."""


class OddFileError(OSError):
    """What is at the path is not an ordinary file or folder, or is larger than the limit."""

    def __init__(self, what: str, path: str) -> None:
        super().__init__(errno.EINVAL, what, path)

    def __str__(self) -> str:
        return self.strerror or ""


class UnsyncedError(OSError):
    """The file was replaced, but the system did not confirm that this will outlast a loss of power."""


def read_whole(path: str, limit: int) -> bytes:
    """Return the bytes of an ordinary file.

    Raises:
        OddFileError: it is a link, a folder or a device, or has more than `limit` bytes.
        OSError: it cannot be read.
    """
    try:
        handle = os.open(path, os.O_RDONLY | NO_FOLLOW | NO_WAIT | BINARY)
    except OSError as error:
        if error.errno == errno.ELOOP or os.path.islink(path):
            raise OddFileError("is a symbolic link", path) from None
        raise
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OddFileError("is no ordinary file", path)
        if status.st_size > limit:
            raise OddFileError(f"has {status.st_size:,} bytes; at most {limit:,} are read", path)
        with open(handle, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def replace_whole(path: str, data: bytes, mode: int | None = None, *, sweep: bool = True) -> None:
    """Make the file hold the data, all of it and on the disk, or leave it as it was and raise OSError.

    Any number of processes may do so at once: the last one wins, and none disturbs another. A link at the path is
    replaced, never followed.

    Args:
        path: The file; its folder exists.
        data: All that it will hold.
        mode: Its permissions, such as `PRIVATE`. Without one, it keeps those that it has.
        sweep: Whether to look for what writers left when they died; not in a folder of thousands.

    Raises:
        OddFileError: a folder or a device is there.
        UnsyncedError: it was replaced, and may be lost if the power fails now.
        OSError: it was not replaced.
    """
    try:
        _replace(path, data, mode, sweep and not KEEPS_OPEN)
    except OSError as error:
        error.filename = path  # not the one beside it, which has gone
        raise
    try:
        sync_folder(os.path.dirname(path))
    except OSError as error:
        raise UnsyncedError(error.errno, error.strerror, path) from None


def _replace(path: str, data: bytes, mode: int | None, sweep: bool) -> None:
    folder, name = os.path.split(path)
    if sweep:
        _sweep(folder, name)
    handle, temporary = _begun(folder, name)
    try:
        try:
            before = _mode_of(path)
            _fill(handle, data, before if mode is None else mode)
            if not KEEPS_OPEN:
                os.replace(temporary, path)
        finally:
            os.close(handle)
        if KEEPS_OPEN:
            os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def remove(path: str) -> bool:
    """Remove the file for good; whether there was one. Raises OSError."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    sync_folder(os.path.dirname(path))
    return True


def private_folder(path: str) -> None:
    """Make a folder that only its owner enters, with those that are missing around it; close one that others enter.

    Raises:
        OddFileError: it is a link, or no folder: nothing is written through one.
        OSError: it cannot be made.
    """
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        parent = os.path.dirname(path)
        if parent and not os.path.isdir(parent):
            private_folder(parent)
        with suppress(FileExistsError):
            os.mkdir(path, PRIVATE_FOLDER)
        found = os.lstat(path)
    if stat.S_ISLNK(found.st_mode):
        raise OddFileError("is a symbolic link", path)
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
    close_to_others(path, found)


def close_to_others(path: str, found: os.stat_result | None = None) -> bool:
    """Take away what the mode of a file or folder lets others do; whether it let them do anything.

    A link is left alone, and so is what belongs to somebody else.
    """
    found = found or os.lstat(path)
    mode = stat.S_IMODE(found.st_mode)
    if not mode & OTHERS or not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        return False
    with suppress(PermissionError):
        os.chmod(path, mode & ~OTHERS)
    return True


KEEPS_OPEN: Final = sys.platform == "win32"
"""Whether a file that is open cannot be renamed. There, what a writer left when it died is not cleared away."""


def _begun(folder: str, name: str) -> tuple[int, str]:
    """Open a new file beside the one that it will replace. While it is locked, nobody takes it for a left-over."""
    while True:
        path = os.path.join(folder, f".{name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | BINARY, 0o666)
        try:
            if KEEPS_OPEN or _is_ours(handle):
                return handle, path
        except BaseException:
            os.close(handle)
            with suppress(OSError):
                os.unlink(path)
            raise
        os.close(handle)  # somebody who sweeps was there before the lock


def _is_ours(handle: int) -> bool:
    """Whether nobody has swept the file away before it was locked. Where a file system has no locks, nobody sweeps."""
    try:
        return at_once(handle) and os.fstat(handle).st_nlink > 0
    except OSError:
        return True


def _sweep(folder: str, name: str) -> None:
    """Remove what writers of this file left when they died: nobody holds its lock."""
    for path in _left(folder, name):
        with suppress(OSError):
            handle = os.open(path, os.O_WRONLY | NO_FOLLOW | NO_WAIT)
            try:
                if at_once(handle):
                    os.unlink(path)
            finally:
                os.close(handle)


def _left(folder: str, name: str) -> Iterator[str]:
    begins = f".{name}."
    for entry in os.listdir(folder or "."):
        if entry.startswith(begins) and entry.endswith(".tmp"):
            process, dash, rest = entry[len(begins) : -len(".tmp")].partition("-")
            if dash and process.isdigit() and rest.isalnum():  # not that of a file whose name begins so
                yield os.path.join(folder, entry)


def _mode_of(path: str) -> int | None:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(found.st_mode):
        return None
    if not stat.S_ISREG(found.st_mode):  # a device must not become a file
        raise OddFileError("is no ordinary file", path)
    return stat.S_IMODE(found.st_mode)


def _fill(handle: int, data: bytes, mode: int | None) -> None:
    if mode is not None and hasattr(os, "fchmod"):
        os.fchmod(handle, mode)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
    os.fsync(handle)


def sync_folder(folder: str) -> None:
    """Make what a folder lists outlast a loss of power. Systems that cannot open a folder do so by themselves."""
    if FOLDER is None:
        return
    handle = os.open(folder or ".", os.O_RDONLY | FOLDER)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # a file system without it
            raise
    finally:
        os.close(handle)
