"""The end of a run that is at work, or not."""

import os
import time
from contextlib import suppress
from typing import Final

from ..state.files import PRIVATE
from ..state.locks import NO_FOLLOW
from . import orphans as leftovers
from .engine import CANCEL, BusyRunError, entries, write
from .journal import AGENTS, Entry, Event
from .projection import account_of
from .status import standing

WAIT: Final = 15.0
"""Seconds that a driver has to stop its agents."""


def cancel(run: str) -> None:
    """End a run for good, and stop whoever drives it.

    The driver is asked by a file in the run's folder, and stops by itself: no process is signalled, since the number
    of one may be another's by now.

    Raises:
        ValueError: The run has ended.
        RefusedError: The driver has not stopped in time.
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
                if account_of(entries(run)).halt is not Event.CANCELLED:  # it has come to its end meanwhile
                    raise
                return
    finally:
        with suppress(FileNotFoundError):
            os.unlink(request)


def _end_left(run: str) -> None:
    """End what is left of agents whose driver was killed."""
    agents = os.path.join(run, AGENTS)
    if os.path.isdir(agents):
        leftovers.end(leftovers.VARIABLE, leftovers.mark_of(agents))


def _ask(request: str) -> None:
    """Ask once more: a driver that begins now takes an older request for one that was left over."""
    os.close(os.open(request, os.O_WRONLY | os.O_CREAT | NO_FOLLOW, PRIVATE))
