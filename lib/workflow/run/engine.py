"""Engines that drive runs. All take the same specification, and report a run in the same way."""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Final, Protocol

from attrs import frozen

from ..codec import codec
from ..command import Command, launcher
from ..errors import RefusedError
from ..render.xml import render
from ..state.files import private_folder
from ..state.locks import BusyError, locked
from .clients.prices import prices_of
from .driver.activities import RunError, WaitingError
from .driver.ceilings import Ceilings
from .driver.driver import Accepts, Driver, Order
from .driver.retries import Limits
from .graphs import Graphs, reached
from .journal.history import LOOK, folder_of
from .journal.history import entries as entries
from .journal.history import spec_of as spec_of
from .journal.history import write as write
from .journal.journal import LOCK, Entry, Event
from .journal.projection import FINAL, RunProjection, account_of
from .journal.projection import State as State
from .journal.refusals import BusyRunError as BusyRunError
from .journal.refusals import ChangedWorkflowError
from .journal.spec import Pin, Session
from .journal.spec import Spec as Spec
from .local import Listen, Local
from .pool import Cast
from .record import Record
from .spending.breakdown import used
from .workplace import in_thread

CANCEL: Final = "cancel"
"""File in a run's folder that asks its driver to end the run."""
STOP: Final = "stop"
"""File in a run's folder that asks its driver to stop; the run can be resumed."""
OFTEN: Final = 0.2
"""Seconds between two checks for these files."""


@frozen(kw_only=True)
class Ended:
    """The halt of a run."""

    state: State
    text: str = ""
    """The last reply, or the reason of the stop."""


class Engine(Protocol):
    """A driver of runs. It names a run by its folder here; another engine may use other names."""

    async def go(self, run: str, spec: Spec) -> Ended:
        """Start or continue the run, until it ends or waits for the user. Raises BusyRunError."""


class Knows(Accepts, Protocol):
    """The workflows that a run may reach."""

    @property
    def graphs(self) -> Graphs:
        """Return their graphs."""


class LocalEngine:
    """An engine for runs on this machine, one process each.

    A lock shows which runs are at work; it ends with its holder.
    """

    def __init__(self, known: Knows, cast: Cast, listen: Listen = lambda _: None, changed: bool = False) -> None:
        """Make an engine.

        Args:
            known: The workflows that a run may reach.
            cast: The run's agents, and how its steps are run.
            listen: Receives each event of the run.
            changed: If true, continue a run even if its workflow has changed since it was last driven.
        """
        self._known, self._cast, self._listen, self._changed = known, cast, listen, changed

    async def go(self, run: str, spec: Spec) -> Ended:
        """Start or continue the run, until it ends or waits for the user. A run that has ended returns its end again.

        Raises:
            BusyRunError: If another process drives it.
            ChangedWorkflowError, MisfitError: If its record belongs to another workflow. Nothing was done.
        """
        private_folder(run)
        try:
            with locked(os.path.join(run, LOCK), LOOK):
                for request in (CANCEL, STOP):  # left by a process that was killed before it ended the run
                    with suppress(OSError):
                        os.unlink(os.path.join(run, request))
                past = entries(run)
                account = account_of(past)
                if account.halt in FINAL:
                    return Ended(state=State(account.halt), text=account.text)
                return await self._drive(run, spec, past, account)
        except BusyError:
            raise BusyRunError(run, entries(run)) from None

    async def _drive(self, run: str, spec: Spec, past: tuple[Entry, ...], account: RunProjection) -> Ended:
        cast, now = self._cast, self._session(run)
        begun = cast.pace.now()
        if past and not self._changed:
            _check_graphs(run, spec, past, now, self._known.graphs)
        limits = Limits(
            attempts=spec.attempts, seconds=cast.seconds or spec.seconds, backoff=cast.backoff, waits=cast.waits
        )
        event, text = (Event.RESUMED, "") if past else (Event.BEGUN, codec(Spec).dumps(spec))
        local = Local(
            run,
            Record(past, now),
            Entry(event=event, number=os.getpid(), text=text, session=now),
            run_step=cast.run_step,
            agent=cast.agent,
            user=cast.user,
            limits=limits,
            clients=cache(spec.clients),
            ceilings=Ceilings(
                spec,
                account.launched,
                lambda: account.worked / 1000 + cast.pace.now() - begun,
                lambda: used(run, past, spec),
            ),
            pace=cast.pace,
            prices=prices_of(spec.prices),
            workplace=cast.workplace,
            listen=self._listen,
        )
        task = asyncio.current_task()
        assert task is not None
        ending = asyncio.ensure_future(_ended_by_request(run, task))
        try:
            order = Order(start=Command.read(spec.start), request=spec.request, max_parallel=spec.max_parallel)
            await _outside(cast.workplace.prepare)
            text = await Driver(order, local, self._known).drive()
            await _outside(cast.workplace.finish)
            await local.say(Entry(event=Event.DONE, text=text))
            return Ended(state=State.DONE, text=text)
        except WaitingError as error:
            return Ended(state=State.WAITING, text=render(error.questions))
        except RunError as error:
            await local.say(Entry(event=Event.STOPPED, key=error.cause, text=str(error)))
            return Ended(state=State.STOPPED, text=str(error))
        except asyncio.CancelledError:
            if not ending.done():
                return Ended(state=State.INTERRUPTED)
            task.uncancel()
            if ending.result() == STOP:
                return Ended(state=State.INTERRUPTED)
            await local.say(Entry(event=Event.CANCELLED))
            return Ended(state=State.CANCELLED)
        finally:
            ending.cancel()
            await local.close()

    def _session(self, run: str) -> Session:
        graphs = tuple(Pin(module=script.module, digest=script.digest) for script in self._known.graphs.scripts)
        return Session(folder=folder_of(run), launcher=launcher(), graphs=graphs)


async def _outside(work: Callable[[], None]) -> None:
    """Do work on the run's folder in a thread. Raises RunError if it is refused."""
    try:
        await in_thread(work)
    except RefusedError as error:
        raise RunError(f"{error}\n{error.fix}") from None


async def _ended_by_request(run: str, task: "asyncio.Task[object]") -> str:
    """Cancel the task that drives a run as soon as a file asks for it. Returns the file's name."""
    while True:
        for request in (CANCEL, STOP):
            if os.path.isfile(os.path.join(run, request)):
                task.cancel()
                return request
        await asyncio.sleep(OFTEN)


def _check_graphs(run: str, spec: Spec, past: tuple[Entry, ...], now: Session, graphs: Graphs) -> None:
    """Raise ChangedWorkflowError if scripts that the run used, or can reach, have other steps now."""
    sessions = [entry.session for entry in past if entry.session is not None and entry.session.graphs]
    if not sessions:
        return
    before, digests = sessions[-1].graphs, {pin.module: pin.digest for pin in now.graphs}
    used = {Command.read(text).module for text in {spec.start, *(entry.command for entry in past)} if text}
    mine = reached(graphs, used) | used
    changed = [pin.module for pin in before if pin.module in mine and digests.get(pin.module) != pin.digest]
    if changed:
        raise ChangedWorkflowError(run, changed)
