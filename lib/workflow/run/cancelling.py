"""The end of a run that is at work, or not."""

import os
import signal
import time
from contextlib import suppress
from typing import Final

from .engine import BusyRunError, State, entries, write
from .journal import Entry, Event
from .standing import standing

WAIT: Final = 15.0
"""Seconds that a driver has to stop its agents."""


def cancel(run: str) -> None:
    """Stops whoever drives the run, then writes its end down. Raises ValueError for a run that has ended."""
    now = standing(run)
    if now.account.halt not in (None, Event.STOPPED):
        raise ValueError(f"the run has ended: it is {now.state}")
    deadline = time.monotonic() + WAIT
    if now.state is State.AT_WORK:
        begun = [entry.number for entry in entries(run) if entry.event in (Event.BEGUN, Event.RESUMED)]
        with suppress(ProcessLookupError):
            os.kill(begun[-1], signal.SIGTERM)
    while True:
        try:
            write(run, Entry(event=Event.CANCELLED))
            return
        except BusyRunError:
            if time.monotonic() > deadline:
                raise
