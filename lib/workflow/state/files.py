"""Files that are read and replaced whole or not at all, and folders that only their owner reads."""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from ..errors import RefusedError
from .locks import NO_FOLLOW, at_once

NO_WAIT = getattr(os, "O_NONBLOCK", 0)
BINARY = getattr(os, "O_BINARY", 0)
FOLDER = getattr(os, "O_DIRECTORY", None)
PRIVATE: Final = 0o600
"""Mode of a file that only its owner reads: state, journals, prompts, replies."""
PRIVATE_FOLDER: Final = 0o700
OTHERS: Final = 0o077
"""Mode bits that give others access."""


class OddFileError(OSError):
    """Raised for a path that is not an ordinary file or folder, or is larger than the limit."""

    def __init__(self, what: str, path: str) -> None:
        super().__init__(errno.EINVAL, what, path)

    def __str__(self) -> str:
        return self.strerror or ""


class UnsyncedError(OSError):
    """Raised if a file was replaced, but the system did not confirm that it survives a power loss."""


class StateError(RefusedError):
    """Raised for an unusable state file: missing, corrupt, locked for too long, not writable."""


def unreadable(path: str, error: OSError) -> StateError:
    """Return the refusal for a file that the system does not let us read."""
    fix = "check the path and its permissions"
    return StateError("unreadable-state", path, f"it cannot be read: {error.strerror or error}", fix)


def read_whole(path: str, limit: int) -> bytes:
    """Return the bytes of an ordinary file.

    Raises:
        OddFileError: If it is a link, a folder or a device, or has more than `limit` bytes.
        OSError: If it cannot be read.
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
            raise OddFileError("is not a regular file", path)
        if status.st_size > limit:
            raise OddFileError(f"has {status.st_size:,} bytes; at most {limit:,} are read", path)
        with open(handle, "rb", 0, closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def replace_whole(path: str, data: bytes, mode: int | None = None, *, sweep: bool = True, sync: bool = True) -> None:
    """Replace the file's content, synced to the disk, or leave it unchanged and raise OSError.

    Many processes may do so at once: the last one wins. A link at the path is replaced, never followed.

    Args:
        path: The file; its folder exists.
        data: The new content.
        mode: Its permissions, such as `PRIVATE`. By default it keeps the old ones.
        sweep: If true, remove temporary files of dead writers; turn it off in a folder of thousands.
        sync: If false, the file may be lost or empty after a power failure; for files that can be made again.

    Raises:
        OddFileError: If a folder or a device is at the path.
        UnsyncedError: If it was replaced, but may be lost in a power failure now.
        OSError: If it was not replaced.
    """
    try:
        _replace(path, data, mode, sweep and not KEEPS_OPEN, sync)
    except OSError as error:
        error.filename = path  # not the temporary file, which is gone
        raise
    if not sync:
        return
    try:
        sync_folder(os.path.dirname(path))
    except OSError as error:
        raise UnsyncedError(error.errno, error.strerror, path) from None


def _replace(path: str, data: bytes, mode: int | None, sweep: bool, sync: bool) -> None:
    folder, name = os.path.split(path)
    if sweep:
        _sweep(folder, name)
    handle, temporary = _begun(folder, name)
    try:
        try:
            before = _mode_of(path)
            _fill(handle, data, before if mode is None else mode, sync)
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
    """Remove the file for good. Returns False if there was none. Raises OSError."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    with suppress(FileNotFoundError):  # another process has removed the folder as well
        sync_folder(os.path.dirname(path))
    return True


def private_folder(path: str) -> None:
    """Make a folder that only its owner can enter, with missing parents; close an existing one to others.

    Raises:
        OddFileError: If it is a link: nothing is written through one.
        OSError: If it cannot be made, or is not a folder.
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
    """Remove others' access to a file or folder. Returns True if its mode gave them any.

    Links and files of other users are left alone.
    """
    found = found or os.lstat(path)
    mode = stat.S_IMODE(found.st_mode)
    if not mode & OTHERS or not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        return False
    with suppress(PermissionError):
        os.chmod(path, mode & ~OTHERS)
    return True


KEEPS_OPEN: Final = sys.platform == "win32"
"""True if open files cannot be renamed. Temporary files of dead writers then stay."""


def _begun(folder: str, name: str) -> tuple[int, str]:
    """Open a new file beside the one that it will replace. Its lock keeps other processes from sweeping it."""
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
        os.close(handle)  # another process swept it before the lock


def _is_ours(handle: int) -> bool:
    """Return True if the file was not swept before it was locked. Without file locks, no process sweeps."""
    try:
        return at_once(handle) and os.fstat(handle).st_nlink > 0
    except OSError:
        return True


def _sweep(folder: str, name: str) -> None:
    """Remove temporary files of dead writers of this file: nobody holds their locks."""
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
            if dash and process.isdigit() and rest.isalnum():  # not the temporary file of a longer name
                yield os.path.join(folder, entry)


def _mode_of(path: str) -> int | None:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(found.st_mode):
        return None
    if not stat.S_ISREG(found.st_mode):  # a device must not become a file
        raise OddFileError("is not a regular file", path)
    return stat.S_IMODE(found.st_mode)


def _fill(handle: int, data: bytes, mode: int | None, sync: bool) -> None:
    if mode is not None and hasattr(os, "fchmod"):
        os.fchmod(handle, mode)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
    if sync:
        os.fsync(handle)


def sync_folder(folder: str) -> None:
    """Sync a folder's entries to the disk. Systems that cannot open a folder need no sync."""
    if FOLDER is None:
        return
    handle = os.open(folder or ".", os.O_RDONLY | FOLDER)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # the file system has no sync
            raise
    finally:
        os.close(handle)
