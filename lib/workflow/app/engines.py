"""The choice of a run's engine, and requests about any run through it."""

import asyncio
import gc
import getpass
import os
import re
import socket
import time
from collections.abc import Coroutine, Iterator, Sequence
from typing import Final, TypeVar

from attrs import frozen

from ..ast.relay import NeedsUserInput
from ..core import Workflow
from ..errors import RefusedError
from ..run import answers as answering
from ..run import cancel as cancelling
from ..run import mark as marks
from ..run import status as standing
from ..run.allowed_commands import Known
from ..run.clients import agents_of
from ..run.defaults import REHEARSAL
from ..run.engine import Engine, LocalEngine, Spec, State, entries, spec_of
from ..run.entry import read_questions
from ..run.journal import JOURNAL, LOCK, Entry, read_from
from ..run.local import Listen
from ..run.pool import Cast
from ..run.projection import RunProjection, account_of
from ..run.status import Standing
from ..run.steps import Tell, in_this_process, process_in
from ..run.temporal.place import is_remote, read_record
from ..state.locks import is_held
from .found_runs import DRIVER, command_line, drivers, spelled
from .packages import packages
from .screen import err
from .shelves import find, shelves

LOCAL, TEMPORAL = "local", "temporal"
PAUSE: Final = 0.5
"""Seconds between checks of a run on this machine."""
MISSING: Final = "the engine temporal is not installed; install it with `pip install 'stepscript[temporal]'`"


T = TypeVar("T")


@frozen(kw_only=True)
class Choice:
    """The engine of a new run; the other fields are Temporal's."""

    engine: str = LOCAL
    address: str = ""
    namespace: str = ""
    queue: str = ""

    @property
    def server(self) -> tuple[str, ...]:
        """Return address and namespace of the run's server; empty for a run on this machine."""
        return () if self.engine == LOCAL else (self.address, self.namespace)


def chosen(engine: str, address: str, namespace: str, queue: str) -> Choice:
    """Return the engine of a new run; an empty address or namespace is that of the user's Temporal profile.

    Raises ValueError if the engine is not installed, or the profile cannot be read.
    """
    if engine == LOCAL:
        return Choice()
    installed()
    from ..run.temporal.connection import endpoint

    address, namespace = endpoint(address, namespace)
    return Choice(engine=engine, address=address, namespace=namespace, queue=queue)


def host_queue() -> str:
    """Return the queue of this user on this host: a worker can only serve the runs of its own user."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = str(os.getuid())
    return re.sub(r"[^A-Za-z0-9._-]+", "-", f"{user}-{socket.gethostname()}").strip("-._")[:100] or "host"


def known_workflows() -> tuple[Workflow, ...]:
    """Return all workflows that a run may reach."""
    return tuple(item.workflow for shelf in shelves() for item in shelf.found)


def is_rehearsal(spec: Spec) -> bool:
    """Return True if simulated agents do the run's jobs."""
    return spec.agent.split(" ")[0] == REHEARSAL


def cast_of(spec: Spec, root: str | None = None, tell: Tell = lambda progress: None) -> Cast:
    """Return the cast of a run, in the folder of a project. Raises ValueError for an unknown agent.

    `tell` receives the progress of slow steps.
    """
    if not is_rehearsal(spec):
        agents = agents_of(spec.agent, spec.agents, spec.models, root, packages())
        return Cast(agent=agents, run_step=process_in(root, tell))
    from .rehearsing import Rehearsal, played  # few runs are rehearsals, and lists of runs must be fast

    rehearsal = Rehearsal.read(spec.agent)
    agent, user = played(find(spec.workflow).workflow, rehearsal)
    run_step = process_in(None, tell) if rehearsal.processes else in_this_process
    return Cast(agent=agent, user=user, run_step=run_step, backoff=0, seconds=rehearsal.seconds)


def choice_of(run: str) -> Choice:
    """Return the engine of a run."""
    if not is_remote(run):
        return Choice()
    record = read_record(run)
    return Choice(engine=TEMPORAL, address=record.address, namespace=record.namespace, queue=record.queue)


def engine_of(
    run: str,
    spec: Spec,
    listen: Listen,
    choice: Choice,
    tell: Tell = lambda progress: None,
    changed: bool = False,
    waits: bool = True,
    fresh: bool = False,
) -> Engine:
    """Return the engine of a run, old or new. Raises ValueError if it is not installed.

    Args:
        run: The driver's folder.
        spec: The specification of the run.
        listen: Receives each event.
        choice: The engine to use.
        tell: Receives the progress of slow steps.
        changed: If true, continue a run on this machine even if its workflow has changed.
        waits: If false, a usage limit is a question for the user.
        fresh: If true, refuse a folder in which another process has just started a run on a server.
    """
    if choice.engine == TEMPORAL:
        installed()
        from ..run.temporal.engine import Server, TemporalEngine

        queue = choice.queue or host_queue()
        server = Server(address=choice.address, namespace=choice.namespace, queue=queue, root=os.getcwd())
        played_by = cast_of(spec) if is_rehearsal(spec) else None
        engine = TemporalEngine(server, known_workflows(), played_by, listen, err().error, waits)
        if not engine.claim(run, spec) and fresh:
            raise ValueError(
                f"another command has just started a run in {os.path.dirname(run)}; watch it with  "
                f"{command_line('resume', spelled(run))}"
            )
        return engine
    cast = cast_of(spec, tell=tell)._replace(waits=waits)
    return LocalEngine(Known(known_workflows()), cast, listen, changed)


def installed() -> None:
    """Raise ValueError if the engine of many hosts is not installed."""
    try:
        import temporalio  # noqa: F401 - only tests that it is installed
    except ImportError:
        raise ValueError(MISSING) from None


def fresh(folder: str) -> str:
    """Return the driver's folder for a new run in a folder. Raises ValueError if the last one has not ended."""
    begun = drivers(folder)
    if not begun:
        return os.path.join(folder, DRIVER)
    if standing_at(begun[-1]).state not in (State.DONE, State.CANCELLED):
        how = f"continue it with  {command_line('resume', spelled(begun[-1]))}"
        raise ValueError(f"{folder} holds a run that has not ended; {how}, or end it with `cancel`")
    return os.path.join(folder, f"{DRIVER}-{len(begun) + 1}")


def spec_at(run: str) -> Spec:
    """Return the specification of a run."""
    return read_record(run).spec if is_remote(run) else spec_of(run, entries(run))


def standing_at(run: str) -> Standing:
    """Return the status of a run. Raises ValueError if it cannot be determined."""
    if not is_remote(run):
        return standing.standing(run)
    _check_server(run)
    from ..run.temporal import engine

    return asyncio.run(engine.standing(run))


def _check_server(run: str) -> None:
    """Raise RefusedError for a server that this user has neither named nor agreed to, ValueError without the engine."""
    choice = choice_of(run)
    marks.check(run, spec_at(run), choice.server)
    installed()


def driven_before(run: str) -> float:
    """Return the number of seconds that processes have driven a run on this machine; 0 for a new one."""
    try:
        return 0 if is_remote(run) else account_of(entries(run)).worked / 1000
    except (ValueError, OSError):  # driving it reports the fault
        return 0


def unasked(run: str) -> Standing:
    """Return the status from the folder of a run on a server, without asking the server."""
    text = "its server was not asked"
    return standing.standing_of(run, spec_at(run), RunProjection(text=text), State.UNKNOWN)


def standings_at(runs: Sequence[str]) -> tuple[Standing, ...]:
    """Return the status of runs on servers, asked at the same time. If it cannot be determined, it is UNKNOWN."""
    if not runs:
        return ()
    try:
        installed()
    except ValueError as error:
        nothing = RunProjection(text=str(error))
        return tuple(standing.standing_of(run, spec_at(run), nothing, State.UNKNOWN) for run in runs)
    from ..run.temporal import engine

    return asyncio.run(engine.standings(runs))


def changes_at(run: str) -> Iterator[None]:
    """Yield after each change of a run, and at times without one. A server is not asked between."""
    if not is_remote(run):
        while True:
            time.sleep(PAUSE)
            yield
    from ..run.temporal.changes import Changes, change

    changes: Changes | None = None
    with asyncio.Runner() as runner:
        while True:
            changes = runner.run(change(run, changes))
            yield


def events_at(run: str) -> Sequence[Entry]:
    """Return the events of a run; of one on Temporal the latest."""
    if not is_remote(run):
        return entries(run)
    _check_server(run)
    from ..run.temporal import engine

    return asyncio.run(engine.events(run))


class Events:
    """The events of a run, as they come."""

    def __init__(self, run: str) -> None:
        self._run, self._place = run, 0

    def new(self) -> Sequence[Entry]:
        """Return the events since the last call."""
        if is_remote(self._run):
            events, before = events_at(self._run), self._place
            self._place = len(events)
            return events[before:]
        found, self._place = read_from(os.path.join(self._run, JOURNAL), self._place)
        return found

    def state(self) -> State:
        """Return the state of the run; the journal of a run that a process drives is not read for it."""
        if not is_remote(self._run) and is_held(os.path.join(self._run, LOCK)):
            return State.AT_WORK
        return standing_at(self._run).state


def questions_at(run: str) -> NeedsUserInput:
    """Return the questions that a run asks. Raises ValueError without one."""
    return read_questions(answering.asked(standing_at(run)).text)


def answer_at(run: str, answers: Sequence[str]) -> bool:
    """Send the user's answers to a run. Returns True if it goes on by itself. Raises ValueError if they do not fit."""
    key, response = answering.response(standing_at(run), answers)
    if not is_remote(run):
        answering.note(run, key, response)
        return False
    _check_server(run)
    from ..run.temporal import engine

    asyncio.run(engine.answer(run, key, response))
    return True


def cancel_at(run: str) -> None:
    """End a run for good. Raises ValueError for one that has ended."""
    if not is_remote(run):
        cancelling.cancel(run)
        return
    _check_server(run)
    from ..run.temporal import engine

    asyncio.run(engine.cancel(run))


def stop_at(run: str) -> None:
    """Stop the driver of a run, which can be resumed. Raises ValueError if no process drives it."""
    if is_remote(run):
        how = command_line("cancel", spelled(run))
        fix = f"End its workers, which continue when they start again, or give up the run:  {how}"
        raise RefusedError("on-server", run, "a Temporal server keeps this run, and workers execute it", fix)
    cancelling.stop(run)


def at_length(work: Coroutine[object, object, T]) -> T:
    """Run work that may take hours, with the garbage collector on: the program turns it off for short commands."""
    gc.enable()
    return asyncio.run(work)
