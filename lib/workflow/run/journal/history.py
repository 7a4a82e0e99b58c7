"""The history of a run on this machine: reads its journal, and adds to it while no process drives the run."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ...command import launcher
from ...errors import RefusedError
from ...state.locks import BusyError, locked
from .entry import read_spec
from .journal import JOURNAL, LOCK, Entry, Event, Journal, JournalError, read, stamped
from .projection import FINAL, State, account_of
from .refusals import BusyRunError
from .spec import Session, Spec

if TYPE_CHECKING:
    from .outline import Others, Outline

LOOK: Final = 1.0
"""Seconds to wait for the lock; a process that inspects a run holds it only briefly."""


def folder_of(run: str) -> str:
    """Return the run's folder for its driver's folder."""
    return os.path.dirname(os.path.abspath(run))


def write(run: str, entry: Entry) -> None:
    """Add an entry to the journal of a run that no process drives.

    Raises:
        BusyRunError: If another process drives it.
        ValueError: If it has ended, or the entry answers a question that is not open.
    """
    try:
        with locked(os.path.join(run, LOCK), LOOK):
            account = account_of(entries(run))
            if account.halt in FINAL:
                raise ValueError(f"the run has ended: it is {State(account.halt)}")
            if entry.event is Event.ANSWERED and entry.key not in [each.key for each in account.questions]:
                raise ValueError("the question is not open: another answer came first")
            import asyncio  # a command that only reads need not pay for it

            asyncio.run(_written(os.path.join(run, JOURNAL), entry))
    except BusyError:
        raise BusyRunError(run, entries(run)) from None


async def _written(path: str, entry: Entry) -> None:
    journal = Journal(path)
    journal.append(stamped(entry))
    await journal.close()


def entries(run: str) -> tuple[Entry, ...]:
    """Return the events of a run; empty if it has not started. Raises JournalError."""
    path = os.path.join(run, JOURNAL)
    return tuple(read(path)) if os.path.exists(path) else ()


def spec_of(run: str, past: "Sequence[Entry | Outline | Others]") -> Spec:
    """Return the specification of a run, with paths as they are now.

    Raises:
        RefusedError: If it has not started.
        JournalError: If its journal does not begin with one.
    """
    if not past:
        fix = "Start one with `stepscript run`."
        raise RefusedError("not-begun", folder_of(run), f"no run has started in {run}", fix)
    first, folder = past[0], folder_of(run)
    if not isinstance(first, Entry) or first.event is not Event.BEGUN:
        raise JournalError(os.path.join(run, JOURNAL), 1, f"a journal must start with the event `{Event.BEGUN}`")
    spec, then = read_spec(first.text), first.session
    if then is None or then.folder == folder or os.path.realpath(then.folder) == os.path.realpath(folder):
        return spec
    from .move import Move  # a run in its place need not pay for it

    return Move.between(then, Session(folder=folder, launcher=launcher())).spec(spec)
