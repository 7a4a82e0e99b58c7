"""Files that are read whole or not at all, and replaced whole or not at all."""

import errno
import os
import stat
from contextlib import suppress

from .locks import NO_FOLLOW

NO_WAIT = getattr(os, "O_NONBLOCK", 0)
BINARY = getattr(os, "O_BINARY", 0)
FOLDER = getattr(os, "O_DIRECTORY", None)


class OddFileError(OSError):
    """What stands at the path is no ordinary file, or a larger one than is read."""


class UnsyncedError(OSError):
    """The file was replaced, but the system did not confirm that this will outlast a loss of power."""


def read_whole(path: str, limit: int) -> bytes:
    """The bytes of an ordinary file. Raises OSError; OddFileError for a link, a folder, a device, too large a file."""
    try:
        handle = os.open(path, os.O_RDONLY | NO_FOLLOW | NO_WAIT | BINARY)
    except OSError as error:
        if error.errno == errno.ELOOP or os.path.islink(path):
            raise OddFileError("is a symbolic link") from None
        raise
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OddFileError("is no ordinary file")
        if status.st_size > limit:
            raise OddFileError(f"has {status.st_size:,} bytes; at most {limit:,} are read")
        with open(handle, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def replace_whole(path: str, data: bytes) -> None:
    """Makes the file hold the data, all of it and on the disk, or leaves it as it was and raises OSError.

    Whoever calls it holds the file's lock: what it finds of other writers is what they left when they died.
    """
    folder, name = os.path.split(path)
    _sweep(folder, name)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        _write_new(temporary, data, _mode_of(path))
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    try:
        sync_folder(folder)
    except OSError as error:
        raise UnsyncedError(error.errno, error.strerror) from None


def remove(path: str) -> bool:
    """Takes the file away for good; whether there was one. Raises OSError. Whoever calls it holds the file's lock."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    sync_folder(os.path.dirname(path))
    return True


def _sweep(folder: str, name: str) -> None:
    for entry in os.listdir(folder):
        if entry.startswith(f".{name}.") and entry.endswith(".tmp"):
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, entry))


def _mode_of(path: str) -> int | None:
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        return None


def _write_new(path: str, data: bytes, mode: int | None) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | BINARY, 0o666 if mode is None else mode)
    try:
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(handle, mode)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
        os.fsync(handle)
    finally:
        os.close(handle)


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
