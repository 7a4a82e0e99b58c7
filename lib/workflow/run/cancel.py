"""Requests to a run's driver: to end the run for good, whether it is at work or not, and to stop for now."""

import os
import time
from contextlib import suppress
from typing import Final

from ..state.files import PRIVATE
from ..state.locks import NO_FOLLOW, is_held
from .engine import CANCEL, STOP, BusyRunError, entries, write
from .journal.journal import AGENTS, LOCK, Entry, Event
from .journal.projection import account_of
from .journal.status import standing
from .processes import orphans as leftovers

WAIT: Final = 15.0
"""Seconds that a driver has to stop its agents."""
PAUSE: Final = 0.05
"""Seconds between two looks at the lock."""


def cancel(run: str) -> None:
    """End a run for good, and stop its driver.

    A file in the run's folder asks the driver to stop. No process is signalled, because its number may have been
    reused.

    Raises:
        ValueError: If the run has ended.
        RefusedError: If the driver did not stop in time.
    """
    now = standing(run)
    if now.account.halt not in (None, Event.STOPPED):
        raise ValueError(f"the run has ended: it is {now.state}")
    request, deadline = os.path.join(run, CANCEL), time.monotonic() + WAIT
    try:
        while True:
            _ask(request)
            try:
                write(run, Entry(event=Event.CANCELLED))
                _end_left(run)
                return
            except BusyRunError:
                if time.monotonic() > deadline:
                    raise BusyRunError(run, entries(run), f"; it did not stop within {WAIT:g} seconds") from None
            except ValueError:
                if account_of(entries(run)).halt is not Event.CANCELLED:  # it came to its end meanwhile
                    raise
                return
    finally:
        with suppress(FileNotFoundError):
            os.unlink(request)


def stop(run: str) -> None:
    """Stop the driver of a run, with its agents. The run can be resumed.

    Raises:
        ValueError: If no process drives it.
        RefusedError: If the driver did not stop in time.
    """
    lock, request, deadline = os.path.join(run, LOCK), os.path.join(run, STOP), time.monotonic() + WAIT
    if not is_held(lock):
        raise ValueError(f"no process drives the run: it is {standing(run).state}")
    try:
        while is_held(lock):
            if time.monotonic() > deadline:
                raise BusyRunError(run, entries(run), f"; it did not stop within {WAIT:g} seconds")
            _ask(request)
            time.sleep(PAUSE)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(request)


def _end_left(run: str) -> None:
    """End remaining agents of a killed driver."""
    agents = os.path.join(run, AGENTS)
    if os.path.isdir(agents):
        leftovers.end(leftovers.VARIABLE, leftovers.mark_of(agents))


def _ask(request: str) -> None:
    """Write the request again, because a driver that starts deletes earlier ones as left-overs."""
    os.close(os.open(request, os.O_WRONLY | os.O_CREAT | NO_FOLLOW, PRIVATE))
