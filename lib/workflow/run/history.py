"""The history of a run on this machine: its journal, read, and added to while nobody drives it."""

import asyncio
import os
from collections.abc import Sequence
from typing import Final

from ..codec import codec
from ..command import launcher
from ..errors import RefusedError
from ..state.locks import BusyError, locked
from .journal import JOURNAL, LOCK, Entry, Event, Journal, JournalError, read, stamped
from .move import Move
from .projection import FINAL, State, account_of
from .refusals import BusyRunError
from .spec import Session, Spec

LOOK: Final = 1.0
"""Seconds; a process that looks at a run holds its lock for a moment."""


def folder_of(run: str) -> str:
    """Return the folder of the run whose driver's folder this is."""
    return os.path.dirname(os.path.abspath(run))


def write(run: str, entry: Entry) -> None:
    """Add an entry to the journal of a run that nobody drives.

    Raises:
        BusyRunError: another process drives it.
        ValueError: it has ended.
    """
    try:
        with locked(os.path.join(run, LOCK), LOOK):
            halt = account_of(entries(run)).halt
            if halt in FINAL:
                raise ValueError(f"the run has ended: it is {State(halt)}")
            asyncio.run(_written(os.path.join(run, JOURNAL), entry))
    except BusyError:
        raise BusyRunError(run, entries(run)) from None


async def _written(path: str, entry: Entry) -> None:
    journal = Journal(path)
    journal.append(stamped(entry))
    await journal.close()


def entries(run: str) -> tuple[Entry, ...]:
    """Return what has happened in a run; nothing if it has not begun. Raises JournalError."""
    path = os.path.join(run, JOURNAL)
    return tuple(read(path)) if os.path.exists(path) else ()


def spec_of(run: str, past: Sequence[Entry]) -> Spec:
    """Return the specification of a run, as it reads where the run lies now.

    Raises:
        RefusedError: it has not begun.
        JournalError: its journal does not begin with one.
    """
    if not past:
        fix = "Begin one by `stepscript run`."
        raise RefusedError("not-begun", folder_of(run), f"{run} holds no run that has begun", fix)
    first, now = past[0], Session(folder=folder_of(run), launcher=launcher())
    if first.event is not Event.BEGUN:
        raise JournalError(os.path.join(run, JOURNAL), 1, f"a journal begins with {Event.BEGUN}, not {first.event}")
    return Move.between(first.session or now, now).spec(codec(Spec).loads(first.text))
