"""The end of a run that is at work, or not."""

import os
import time
from contextlib import suppress
from typing import Final

from ..errors import RefusedError
from .account import account_of
from .engine import CANCEL, BusyRunError, entries, write
from .journal import Entry, Event
from .standing import standing

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
                return
            except BusyRunError:
                if time.monotonic() > deadline:
                    what = f"the process that drives it did not stop within {WAIT:g} seconds"
                    fix = "End that process where it was started, then cancel once more."
                    raise RefusedError("busy-run", run, what, fix) from None
            except ValueError:
                if account_of(entries(run)).halt is not Event.CANCELLED:  # it has come to its end meanwhile
                    raise
                return
    finally:
        with suppress(FileNotFoundError):
            os.unlink(request)


def _ask(request: str) -> None:
    """Ask once more: a driver that begins now takes an older request for one that was left over."""
    with open(request, "ab"):
        pass
