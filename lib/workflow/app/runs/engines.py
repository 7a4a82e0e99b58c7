"""The engine of a run, and requests to any run through its engine."""

import asyncio
import gc
import getpass
import os
import re
import socket
from collections.abc import Coroutine, Sequence
from typing import TypeVar

from ...ast.relay import NeedsUserInput
from ...core import Workflow
from ...errors import RefusedError
from ...run import answers as answering
from ...run import cancel as cancelling
from ...run.allowed_commands import Known
from ...run.clients.presets import agents_of
from ...run.defaults import REHEARSAL
from ...run.engine import Engine, LocalEngine, Spec, State
from ...run.journal.entry import read_questions
from ...run.local import Listen
from ...run.pool import Cast
from ...run.steps import Tell, in_this_process, process_in
from ...run.temporal.place import is_remote
from ..output.screen import err
from ..skills.packages import packages
from ..skills.shelves import find, shelves
from .found_runs import DRIVER, command_line, drivers, spelled
from .placing import check_local
from .rehearsing import Rehearsal, played
from .standings import TEMPORAL, Choice, check_server, installed, standing_at
from .workplaces import workplace

T = TypeVar("T")


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


def cast_of(spec: Spec, root: str | None = None, tell: Tell = lambda progress: None, also: str = "") -> Cast:
    """Return the cast of a run, in the folder of a project. Raises ValueError for an unknown agent.

    `tell` receives the progress of slow steps. `also` is a folder outside of the project that agents use too.
    """
    if not is_rehearsal(spec):
        agents = agents_of(spec.agent, spec.agents, spec.models, root, packages(), spec.passes, also)
        return Cast(agent=agents, run_step=process_in(root, tell))

    rehearsal = Rehearsal.read(spec.agent)
    agent, user = played(find(spec.workflow).workflow, rehearsal, asks=True)
    run_step = process_in(None, tell) if rehearsal.processes else in_this_process
    return Cast(agent=agent, user=user, run_step=run_step, backoff=0, seconds=rehearsal.seconds)


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
        if not choice.apart:
            check_local(run)
        from ...run.temporal.engine import Server, TemporalEngine

        queue = choice.queue or host_queue()
        server = Server(
            address=choice.address,
            namespace=choice.namespace,
            queue=queue,
            pool=choice.pool,
            apart=choice.apart,
            root=os.getcwd(),
        )
        played_by = cast_of(spec) if is_rehearsal(spec) else None
        engine = TemporalEngine(server, Known(known_workflows()), played_by, listen, err().error, waits)
        if not engine.claim(run, spec) and fresh:
            raise ValueError(
                f"another command has just started a run in {os.path.dirname(run)}; watch it with  "
                f"{command_line('resume', spelled(run))}"
            )
        return engine
    place = workplace(run, spec)
    cast = cast_of(spec, place.folder, tell, os.path.dirname(run)) if place else cast_of(spec, tell=tell)
    cast = cast._replace(waits=waits, workplace=place or cast.workplace)
    return LocalEngine(Known(known_workflows()), cast, listen, changed)


def fresh(folder: str) -> str:
    """Return the driver's folder for a new run in a folder. Raises ValueError if the last one has not ended."""
    begun = drivers(folder)
    if not begun:
        return os.path.join(folder, DRIVER)
    if standing_at(begun[-1]).state not in (State.DONE, State.CANCELLED):
        how = f"continue it with  {command_line('resume', spelled(begun[-1]))}"
        raise ValueError(f"{folder} holds a run that has not ended; {how}, or end it with `cancel`")
    return os.path.join(folder, f"{DRIVER}-{len(begun) + 1}")


def questions_at(run: str) -> NeedsUserInput:
    """Return the questions that a run asks. Raises ValueError without one."""
    return read_questions(answering.asked(standing_at(run).account).text)


def answer_at(run: str, answers: Sequence[str]) -> bool:
    """Send the user's answers to a run. Returns True if it goes on by itself. Raises ValueError if they do not fit."""
    key, response = answering.response(standing_at(run).account, answers)
    if not is_remote(run):
        answering.note(run, key, response)
        return False
    check_server(run)
    from . import server_runs

    server_runs.answer(run, key, response)
    return True


def cancel_at(run: str) -> None:
    """End a run for good. Raises ValueError for one that has ended."""
    if not is_remote(run):
        cancelling.cancel(run)
        return
    check_server(run)
    from . import server_runs

    server_runs.cancel(run)


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
