"""A connection to PostgreSQL that is made when a statement needs it, and that maps errors to refusals."""

import errno
import os
from collections.abc import Sequence
from typing import Final, TypeAlias

import psycopg

from ..files import StateError
from ..locks import BusyError

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
        self._connection: psycopg.Connection[Row] | None = None
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
        try:
            done = self._made().execute("COMMIT").statusmessage
        except psycopg.Error as error:
            raise StateError("unsure-database", self._address, _line(error), UNSURE) from None
        if done != "COMMIT":  # a statement failed, and its error was not passed on
            raise StateError("unusable-database", self._address, "the transaction was rolled back", AGAIN)

    def rollback(self) -> None:
        """End a transaction without its changes, if necessary with the connection."""
        try:
            self._made().execute("ROLLBACK")
        except psycopg.Error:
            if self._connection is not None:
                self._connection.close()

    def refusal(self, error: psycopg.Error) -> StateError:
        """Return the refusal for an error of the database."""
        return StateError("unusable-database", self._address, _line(error), AGAIN)

    def _rows(self, statement: str, values: Sequence[object]) -> list[Row]:
        cursor = self._made().execute(statement.encode(), values, prepare=False)
        return cursor.fetchall() if cursor.description else []

    def _is_lost(self) -> bool:
        return self._connection is None or self._connection.closed

    def _made(self) -> psycopg.Connection[Row]:
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


def _line(error: psycopg.Error) -> str:
    """Return the first line of an error. libpq's messages name hosts and users, not passwords."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:300]
