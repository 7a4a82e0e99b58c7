"""The place of a run's documents: files of the run's folder, or a database."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from ..arguments.parameter import URL_SCHEMES
from ..codec import MAX_SIZE
from ..errors import UsageError
from .files import PRIVATE, read_whole, remove, replace_whole
from .locks import LockError, locked
from .run_dirs import DATABASES, check_unlinked
from .run_folder import tend

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import Protocol

    from .database.database import Database

    class Documents(Protocol):
        """The place of a run's documents, each with a name. Its methods raise OSError, or a final RefusedError."""

        @property
        def removal(self) -> str: ...
        def target(self, name: str) -> str: ...
        def exists(self, name: str) -> bool: ...
        def read(self, name: str) -> bytes: ...
        def replace(self, name: str, data: bytes) -> None: ...
        def remove(self, name: str) -> bool: ...
        def locked(self, name: str, wait: float) -> AbstractContextManager[None]: ...


class Folder:
    """A folder with a file for each document, and a lock file beside it."""

    removal: Final = "move it away"
    """Instruction that removes a damaged document, for a user."""

    def __init__(self, path: str) -> None:
        self._path = path

    def target(self, name: str) -> str:
        """Return the path of the file."""
        return os.path.join(self._path, name)

    def exists(self, name: str) -> bool:
        """Return True if there is a file, of any kind."""
        return os.path.lexists(self.target(name))

    def read(self, name: str) -> bytes:
        """Return the content. Raises FileNotFoundError, or OSError for a file that cannot be read."""
        return read_whole(self.target(name), MAX_SIZE)

    def replace(self, name: str, data: bytes) -> None:
        """Write the file, whole. Raises OSError."""
        replace_whole(self.target(name), data, PRIVATE)

    def remove(self, name: str) -> bool:
        """Remove the file. Returns False if there was none. Raises OSError."""
        return remove(self.target(name))

    @contextmanager
    def locked(self, name: str, wait: float) -> Iterator[None]:
        """Exclude other processes that change the file. Raises BusyError, or LockError for an unusable folder."""
        check_unlinked(self._path)
        with locked(self.target(f".{name}.lock"), wait):
            try:
                tend(self._path)
            except OSError as error:
                raise LockError(error.errno, error.strerror) from None
            yield


def documents(folder: str) -> "Documents":
    """Return the place of the documents of a run, by the run's folder."""
    return database_of(folder) or Folder(folder)


def has_document(path: str) -> bool:
    """Return True if a run has a document, by its path in the run's folder. Raises StateError."""
    folder, name = os.path.split(path)
    return documents(folder).exists(name)


def folder_at(address: str) -> str:
    """Return the folder of a run, whole; for a URL, its folder on this host. Raises UsageError for an illegal URL."""
    if not address.startswith(URL_SCHEMES):
        return os.path.abspath(address)
    from .database.addresses import folder_of

    try:
        return folder_of(address)
    except ValueError as error:
        raise UsageError(f"--state-dir: {error}") from None


def database_of(folder: str) -> "Database | None":
    """Return the documents of a run in a database, by the run's folder; None if they are files of the folder."""
    if f"{os.sep}{DATABASES}{os.sep}" not in folder:
        return None
    from .database.addresses import url_of
    from .database.database import Database

    url = url_of(folder)
    return None if url is None else Database(url)
