"""Engines: where a run goes on. All take the same specification, and tell the same of a run."""

import asyncio
import os
from enum import StrEnum
from typing import Final, Protocol

from attrs import frozen

from ..codec import CodecError, codec
from ..command import Command
from ..files import private_folder
from ..locks import BusyError, locked
from ..render.xml import render
from .account import FINAL, account_of
from .activities import WaitingError
from .cast import Cast
from .defaults import ATTEMPTS, MAX_PARALLEL, SECONDS
from .driver import Accepts, Driver, Order, RunError
from .journal import JOURNAL, LOCK, Entry, Event, Journal, JournalError, read, stamped
from .local import Listen, Local
from .trying import Limits

LOOK: Final = 1.0
"""Seconds; whoever looks at a run holds its lock for a moment."""


class BusyRunError(ValueError):
    """Another process is driving the run."""


class State(StrEnum):
    """How a run stands."""

    AT_WORK = "at work"
    WAITING = "waiting"
    INTERRUPTED = "interrupted"
    """Nobody drives it, and it has not ended: it can be resumed."""
    DONE = "done"
    STOPPED = "stopped"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"
    """Whoever keeps it cannot be asked."""


@frozen(kw_only=True)
class Spec:
    """What a run is, as data: an engine on another machine needs no more."""

    workflow: str
    start: str
    request: str = ""
    agent: str
    """The name of a client, or the words of a program."""
    models: tuple[str, ...] = ()
    """Those that the user chose, `fast=NAME`."""
    max_parallel: int = MAX_PARALLEL
    attempts: int = ATTEMPTS
    seconds: int = SECONDS


@frozen(kw_only=True)
class Ended:
    """How a run has come to a halt."""

    state: State
    text: str = ""
    """What was said last; why it stopped."""


class Engine(Protocol):
    """Drives runs. A run is named by its folder here; another engine may have names of its own."""

    async def go(self, run: str, spec: Spec) -> Ended:
        """Begins the run, or goes on with it, until it ends or waits for the user. Raises BusyRunError."""


class LocalEngine:
    """Runs on this machine, one process each. What is at work is told by a lock, which dies with its holder."""

    def __init__(self, known: Accepts, cast: Cast, listen: Listen = lambda _: None) -> None:
        self._known, self._cast, self._listen = known, cast, listen

    async def go(self, run: str, spec: Spec) -> Ended:
        """Begins or goes on. A run that has ended says so again, and does nothing."""
        private_folder(run)
        try:
            with locked(os.path.join(run, LOCK), LOOK):
                past = entries(run)
                account = account_of(past)
                if account.halt in FINAL:
                    return Ended(state=State(account.halt), text=account.text)
                return await self._drive(run, spec, past)
        except BusyError:
            raise BusyRunError(f"{run}: another process is driving this run; watch it by `stepscript status`") from None

    async def _drive(self, run: str, spec: Spec, past: tuple[Entry, ...]) -> Ended:
        cast = self._cast
        limits = Limits(attempts=spec.attempts, seconds=cast.seconds or spec.seconds, backoff=cast.backoff)
        local = Local(
            run,
            past,
            run_step=cast.run_step,
            agent=cast.agent,
            user=cast.user,
            limits=limits,
            listen=self._listen,
        )
        try:
            event = Event.RESUMED if past else Event.BEGUN
            await local.say(Entry(event=event, number=os.getpid(), text="" if past else codec(Spec).dumps(spec)))
            order = Order(start=Command.read(spec.start), request=spec.request, max_parallel=spec.max_parallel)
            text = await Driver(order, local, self._known).drive()
            await local.say(Entry(event=Event.DONE, text=text))
            return Ended(state=State.DONE, text=text)
        except WaitingError as error:
            return Ended(state=State.WAITING, text=render(error.questions))
        except RunError as error:
            await local.say(Entry(event=Event.STOPPED, text=str(error)))
            return Ended(state=State.STOPPED, text=str(error))
        except asyncio.CancelledError:
            return Ended(state=State.INTERRUPTED)
        finally:
            await local.journal.close()


def write(run: str, entry: Entry) -> None:
    """Adds an entry to the journal of a run that nobody drives. Raises BusyRunError, ValueError after the run's end."""
    try:
        with locked(os.path.join(run, LOCK), LOOK):
            halt = account_of(entries(run)).halt
            if halt in FINAL:
                raise ValueError(f"the run has ended: it is {State(halt)}")
            asyncio.run(_written(os.path.join(run, JOURNAL), entry))
    except BusyError:
        raise BusyRunError(f"{run}: another process is driving this run") from None


async def _written(path: str, entry: Entry) -> None:
    journal = Journal(path)
    journal.append(stamped(entry))
    await journal.close()


def entries(run: str) -> tuple[Entry, ...]:
    """What has happened in a run; nothing where it has not begun. Raises JournalError."""
    path = os.path.join(run, JOURNAL)
    return tuple(read(path)) if os.path.exists(path) else ()


def spec_of(run: str, past: tuple[Entry, ...]) -> Spec:
    """What a run is told. Raises ValueError, which names the folder, where it has not begun or does not say."""
    if not past:
        raise ValueError(f"{run}: holds no run that has begun")
    try:
        return codec(Spec).loads(past[0].text)
    except CodecError as error:
        raise JournalError(f"{os.path.join(run, JOURNAL)}:1: is no beginning of a run: {error}") from None
