"""Which engine a run is driven by, and what can be asked of any run through it."""

import asyncio
import gc
import os
import re
import socket
from collections.abc import Coroutine, Sequence
from typing import Final, TypeVar

from attrs import frozen

from ..core import Workflow
from ..run import answers as answering
from ..run import cancel as cancelling
from ..run import mark as marks
from ..run import status as standing
from ..run.allowed_commands import Known
from ..run.clients import agent_of
from ..run.defaults import REHEARSAL
from ..run.engine import Engine, LocalEngine, Spec, State, entries, spec_of
from ..run.journal import Entry
from ..run.local import Listen
from ..run.pool import Cast
from ..run.projection import RunProjection
from ..run.status import Standing
from ..run.steps import Tell, in_this_process, process_in
from ..run.temporal.place import is_remote, read_record
from .found_runs import DRIVER, command_line, drivers, spelled
from .packages import packages
from .screen import err
from .shelves import find, shelves

LOCAL, TEMPORAL = "local", "temporal"
MISSING: Final = "the engine temporal is not installed; install it by `pip install 'stepscript[temporal]'`"


T = TypeVar("T")


@frozen(kw_only=True)
class Choice:
    """The engine of a run that begins; the other fields are Temporal's."""

    engine: str = LOCAL
    address: str = ""
    namespace: str = ""
    queue: str = ""

    @property
    def server(self) -> tuple[str, ...]:
        """Address and namespace of the server that keeps the run; nothing for a run on this machine."""
        return () if self.engine == LOCAL else (self.address, self.namespace)


def host_queue() -> str:
    """The queue of this host, by its name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", socket.gethostname()).strip("-._") or "host"


def known_workflows() -> tuple[Workflow, ...]:
    """All that a run may come to."""
    return tuple(item.workflow for shelf in shelves() for item in shelf.found)


def is_rehearsal(spec: Spec) -> bool:
    """Whether simulated agents play it."""
    return spec.agent.split(" ")[0] == REHEARSAL


def cast_of(spec: Spec, root: str | None = None, tell: Tell = lambda progress: None) -> Cast:
    """Who plays a run, in the folder of a project. Raises ValueError where there is no such agent.

    `tell` is told of the progress of steps that take long.
    """
    if not is_rehearsal(spec):
        return Cast(agent=agent_of(spec.agent, spec.models, root, packages()), run_step=process_in(root, tell))
    from .rehearsing import Rehearsal, played  # few runs are played, and lists of runs need to be fast

    rehearsal = Rehearsal.read(spec.agent)
    agent, user = played(find(spec.workflow).workflow, rehearsal)
    run_step = process_in(None, tell) if rehearsal.processes else in_this_process
    return Cast(agent=agent, user=user, run_step=run_step, backoff=0, seconds=rehearsal.seconds)


def choice_of(run: str) -> Choice:
    """The engine that a run has."""
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
) -> Engine:
    """The engine that a run has, or is to have. Raises ValueError if it is not installed.

    Args:
        tell: Is given the progress of steps that take long.
        changed: Whether a run on this machine goes on though its workflow has changed.
    """
    if choice.engine == TEMPORAL:
        installed()
        from ..run.temporal.engine import Server, TemporalEngine

        queue = choice.queue or host_queue()
        server = Server(address=choice.address, namespace=choice.namespace, queue=queue, root=os.getcwd())
        played_by = cast_of(spec) if is_rehearsal(spec) else None
        return TemporalEngine(server, known_workflows(), played_by, listen, err().error)
    return LocalEngine(Known(known_workflows()), cast_of(spec, tell=tell), listen, changed)


def installed() -> None:
    """Raises ValueError where the engine of many hosts is not installed."""
    try:
        import temporalio  # noqa: F401 - it is there
    except ImportError:
        raise ValueError(MISSING) from None


def fresh(folder: str) -> str:
    """The driver's folder of what begins in the folder of a run. Raises ValueError where the last has not ended."""
    begun = drivers(folder)
    if not begun:
        return os.path.join(folder, DRIVER)
    if standing_at(begun[-1]).state not in (State.DONE, State.CANCELLED):
        how = f"go on with it by  {command_line('resume', spelled(begun[-1]))}"
        raise ValueError(f"{folder} holds a run that has not ended; {how}, or end it by `cancel`")
    return os.path.join(folder, f"{DRIVER}-{len(begun) + 1}")


def spec_at(run: str) -> Spec:
    """What a run is told."""
    return read_record(run).spec if is_remote(run) else spec_of(run, entries(run))


def standing_at(run: str) -> Standing:
    """How a run stands. Raises ValueError where it cannot be told."""
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


def unasked(run: str) -> Standing:
    """What the folder of a run on a server says, without asking the server."""
    text = "its server was not asked"
    return standing.standing_of(run, spec_at(run), RunProjection(text=text), State.UNKNOWN)


def standings_at(runs: Sequence[str]) -> tuple[Standing, ...]:
    """How runs on servers stand; all are asked at once. One that cannot be told is unknown."""
    if not runs:
        return ()
    try:
        installed()
    except ValueError as error:
        nothing = RunProjection(text=str(error))
        return tuple(standing.standing_of(run, spec_at(run), nothing, State.UNKNOWN) for run in runs)
    from ..run.temporal import engine

    return asyncio.run(engine.standings(runs))


def events_at(run: str) -> Sequence[Entry]:
    """What has happened in a run; of one on Temporal the latest."""
    if not is_remote(run):
        return entries(run)
    _check_server(run)
    from ..run.temporal import engine

    return asyncio.run(engine.events(run))


def answer_at(run: str, answers: Sequence[str]) -> bool:
    """Gives a run the user's answers; whether it goes on by itself. Raises ValueError where they do not fit."""
    key, response = answering.response(standing_at(run), answers)
    if not is_remote(run):
        answering.note(run, key, response)
        return False
    _check_server(run)
    from ..run.temporal import engine

    asyncio.run(engine.answer(run, key, response))
    return True


def cancel_at(run: str) -> None:
    """Ends a run for good. Raises ValueError for one that has ended."""
    if not is_remote(run):
        cancelling.cancel(run)
        return
    _check_server(run)
    from ..run.temporal import engine

    asyncio.run(engine.cancel(run))


def at_length(work: Coroutine[object, object, T]) -> T:
    """Runs what may take hours, so with the collector on: the program turns it off, as its other commands are brief."""
    gc.enable()
    return asyncio.run(work)
