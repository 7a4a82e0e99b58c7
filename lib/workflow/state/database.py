"""Documents of a run in PostgreSQL, changed by processes on any number of hosts.

A change is one transaction under the run's advisory lock, so a process that dies or loses its connection has changed
nothing. The first run in a database makes the table; reading makes nothing.
"""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import local
from typing import TYPE_CHECKING, Final, TypeAlias

from ..codec import MAX_SIZE
from ..errors import RefusedError
from .files import PRIVATE, OddFileError, private_folder, read_whole, replace_whole
from .locks import BusyError
from .store import StateError

if TYPE_CHECKING:
    from psycopg import Connection, Error

TABLE: Final = """CREATE TABLE IF NOT EXISTS stepscript_documents (
    run text NOT NULL,
    name text NOT NULL,
    body bytea NOT NULL,
    changed timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (run, name)
)"""
"""The only table, in the first schema of the role's search path."""
SETTINGS: Final = """
SET idle_in_transaction_session_timeout = '60s';
SET lock_timeout = '60s';
SET tcp_keepalives_idle = 10;
SET tcp_keepalives_interval = 5;
SET tcp_keepalives_count = 3"""
"""Settings that free the locks of a host that has died, within a minute."""
OLDEST: Final = 15
"""The oldest major version of a server."""
SECONDS: Final = 10
"""Time limit for a connection, unless PGCONNECT_TIMEOUT sets another."""
AGAIN: Final = "Nothing was changed. Check the server, the login and the network; then run the same command again."
UNSURE: Final = "It is not known if the change was saved. Read the state; repeat the command if the change is missing."
LOST: Final = "the connection was lost, and with it the lock of this run"
Row: TypeAlias = tuple[object, ...]


class Session:
    """A connection to one database. It is made when a statement needs it, and again if it was lost between changes.

    Args:
        address: The URL without a run.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._connection: Connection[Row] | None = None
        self.changing = ""
        """The run that the current transaction changes."""
        self.locks = 0
        """Number of locks that would be lost with the connection."""

    def rows(self, statement: str, *values: object) -> list[Row]:
        """Run a statement and return its rows.

        Raises:
            BusyError: If a lock was not free in time.
            FileNotFoundError: If the database has no table yet.
            StateError: If the database cannot be used.
        """
        try:
            import psycopg
        except ImportError:
            fix = "Install stepscript[postgres] into the environment of this stepscript, or name a folder."
            raise StateError("missing-extra", self._address, "psycopg is not installed", fix) from None
        known = self._connection is not None
        try:
            return self._rows(statement, values)
        except psycopg.errors.LockNotAvailable:
            raise BusyError(errno.EBUSY, "another process has held the lock") from None
        except psycopg.errors.UndefinedTable:
            raise FileNotFoundError(errno.ENOENT, "the database has no runs") from None
        except psycopg.Error as error:
            if not known or self.locks or not self._is_lost():
                raise self.refusal(error) from None
        try:
            return self._rows(statement, values)  # the server was restarted since the last statement
        except psycopg.Error as error:
            raise self.refusal(error) from None

    def commit(self) -> None:
        """End a transaction, with its changes. Raises StateError if they may be missing."""
        import psycopg

        try:
            done = self._made().execute("COMMIT").statusmessage
        except psycopg.Error as error:
            raise StateError("unsure-database", self._address, _line(error), UNSURE) from None
        if done != "COMMIT":  # a statement failed, and its error was not passed on
            raise StateError("unusable-database", self._address, "the transaction was rolled back", AGAIN)

    def rollback(self) -> None:
        """End a transaction without its changes, if necessary with the connection."""
        import psycopg

        try:
            self._made().execute("ROLLBACK")
        except psycopg.Error:
            if self._connection is not None:
                self._connection.close()

    def refusal(self, error: "Error") -> StateError:
        """Return the refusal for an error of the database."""
        return StateError("unusable-database", self._address, _line(error), AGAIN)

    def _rows(self, statement: str, values: Sequence[object]) -> list[Row]:
        cursor = self._made().execute(statement.encode(), values, prepare=False)
        return cursor.fetchall() if cursor.description else []

    def _is_lost(self) -> bool:
        return self._connection is None or self._connection.closed

    def _made(self) -> "Connection[Row]":
        import psycopg

        if self._connection is not None and not self._connection.closed:
            return self._connection
        if self.locks:
            raise psycopg.OperationalError(LOST)
        limit = int(os.environ.get("PGCONNECT_TIMEOUT") or SECONDS)
        made = psycopg.connect(self._address, autocommit=True, application_name="stepscript", connect_timeout=limit)
        version = made.info.server_version // 10_000
        if version < OLDEST:
            made.close()
            raise psycopg.NotSupportedError(f"the server is PostgreSQL {version}; {OLDEST} is the oldest that works")
        made.execute(SETTINGS)
        self._connection = made
        return made


def _line(error: "Error") -> str:
    """Return the first line of an error. libpq's messages name hosts and users, not passwords."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:300]


_sessions: Final = local()


def session_of(address: str) -> Session:
    """Return this thread's session with a database. A forked process makes one of its own."""
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
    def _session(self) -> Session:
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
