"""Documents of a run in PostgreSQL, changed by processes on any number of hosts.

A change is one transaction under the run's advisory lock, so a process that dies or loses its connection has changed
nothing. The first run in a database makes the table; reading makes nothing.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import local
from typing import TYPE_CHECKING, Final

from ...codec import MAX_SIZE
from ...errors import RefusedError
from ..files import PRIVATE, OddFileError, StateError, private_folder, read_whole, replace_whole

if TYPE_CHECKING:
    from .session import Session

TABLE: Final = """CREATE TABLE IF NOT EXISTS stepscript_documents (
    run text NOT NULL,
    name text NOT NULL,
    body bytea NOT NULL,
    changed timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (run, name)
)"""
"""The only table, in the first schema of the role's search path."""

_sessions: Final = local()


def session_of(address: str) -> "Session":
    """Return this thread's session with a database. A forked process makes one of its own.

    Raises StateError if psycopg is not installed.
    """
    try:
        from .session import Session
    except ImportError:
        fix = "Install stepscript[postgres] into the environment of this stepscript, or name a folder."
        raise StateError("missing-extra", address, "psycopg is not installed", fix) from None
    known: dict[str, Session] = _sessions.__dict__
    return known.setdefault(f"{os.getpid()} {address}", Session(address))


class Database:
    """The documents of one run in a database.

    Args:
        url: The URL of the run, from `addresses`.
    """

    removal: Final = "delete its row from stepscript_documents"
    """Instruction that removes a damaged document, for a user."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._address, _, self._run = url.partition("#")

    @property
    def _session(self) -> "Session":
        return session_of(self._address)

    def target(self, name: str) -> str:
        """Return the URL with the document's name."""
        return f"{self._url}/{name}"

    def exists(self, name: str) -> bool:
        """Return True if the run has the document. Raises StateError."""
        query = "SELECT 1 FROM stepscript_documents WHERE run = %s AND name = %s"
        try:
            return bool(self._session.rows(query, self._run, name))
        except FileNotFoundError:
            return False

    def read(self, name: str) -> bytes:
        """Return the content. Raises FileNotFoundError, OddFileError for one that is too long, or StateError."""
        query = (
            "SELECT octet_length(body), CASE WHEN octet_length(body) <= %s THEN body END "
            "FROM stepscript_documents WHERE run = %s AND name = %s"
        )
        found = self._session.rows(query, MAX_SIZE, self._run, name)
        if not found:
            raise FileNotFoundError(errno.ENOENT, "the run has no such document", name)
        length, body = found[0]
        if not isinstance(body, bytes):
            raise OddFileError(f"has {length:,} bytes; at most {MAX_SIZE:,} are read", self.target(name))
        return body

    def copy(self, name: str, folder: str) -> None:
        """Copy the document into a folder, for agents that read files. A missing one changes nothing.

        Raises RefusedError, or StateError.
        """
        path = os.path.join(folder, *name.split("/"))
        try:
            data = self.read(name)
            private_folder(os.path.dirname(path))
            if not os.path.lexists(path) or read_whole(path, MAX_SIZE) != data:
                replace_whole(path, data, PRIVATE)
        except FileNotFoundError:
            return
        except OSError as error:
            fix = "make the folder writable, or free space, and run the same command"
            raise RefusedError(
                "unwritable-state", path, f"it cannot be written: {error.strerror or error}", fix
            ) from None

    def replace(self, name: str, data: bytes) -> None:
        """Write the document, whole. Raises StateError."""
        statement = (
            "INSERT INTO stepscript_documents (run, name, body) VALUES (%s, %s, %s) "
            "ON CONFLICT (run, name) DO UPDATE SET body = excluded.body, changed = now()"
        )
        self._session.rows(statement, self._run, name, data)

    def remove(self, name: str) -> bool:
        """Remove the document. Returns False if there was none. Raises StateError."""
        statement = "DELETE FROM stepscript_documents WHERE run = %s AND name = %s RETURNING 1"
        return bool(self._session.rows(statement, self._run, name))

    @contextmanager
    def locked(self, name: str, wait: float) -> Iterator[None]:
        """Exclude other changes of the run, in one transaction; a lock inside of it belongs to it.

        Raises:
            BusyError: If the lock is not free within `wait` seconds.
            StateError: If the database cannot be used.
        """
        session = self._session
        if session.changing == self._run:
            yield
            return
        session.rows("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
        session.changing = self._run
        session.locks += 1
        try:
            self._lock("pg_advisory_xact_lock", f"stepscript {self._run}", wait, True)
            if session.rows("SELECT to_regclass('stepscript_documents')") == [(None,)]:
                self._lock("pg_advisory_xact_lock", "stepscript", wait, True)
                session.rows(TABLE)
            yield
            session.commit()
        except BaseException:
            session.rollback()
            raise
        finally:
            session.changing = ""
            session.locks -= 1

    @contextmanager
    def alone(self, wait: float) -> Iterator[None]:
        """Exclude other steps of the run, on all hosts. Changes of the run go on.

        Raises as `locked` does. If the connection is lost meanwhile, further changes of this process are refused.
        """
        session, key = self._session, f"stepscript step {self._run}"
        self._lock("pg_advisory_lock", key, wait, False)
        session.locks += 1
        try:
            yield
        finally:
            try:
                session.rows("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", key)
            except StateError:
                pass  # the lock is gone with the connection
            finally:
                session.locks -= 1

    def _lock(self, function: str, key: str, wait: float, here: bool) -> None:
        """Take an advisory lock, in the current transaction or, with False for `here`, in the connection."""
        limit = f"{max(1, round(wait * 1000))}ms"
        self._session.rows("SELECT set_config('lock_timeout', %s, %s)", limit, here)
        self._session.rows(f"SELECT {function}(hashtextextended(%s, 0))", key)
