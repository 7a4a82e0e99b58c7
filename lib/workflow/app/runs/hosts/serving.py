"""A worker for a host: it serves runs only by the code that it was started with."""

import asyncio
import json
import logging
import os
import signal
import subprocess
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Final

from ....command import launcher
from ....errors import RefusedError
from ....run.allowed_commands import Known
from ....run.graphs import graphs_of
from ....run.journal import mark as marks
from ....run.pool import Cast
from ....run.temporal.apart.commands import Allowed
from ....run.temporal.connection import ServerError, check_namespace, check_store, connected
from ....run.temporal.host.host import Host
from ....run.temporal.host_record import Record
from ....run.temporal.place import folder_of
from ....run.temporal.worker import serve
from ....state.consent import CODE
from ....types import AgentRole
from ....util.characters import on_a_screen
from ....util.search_path import program_path
from ...output.screen import emit, out
from ...skills.listing_cache import signature
from ...skills.packages import packages
from ..engines import cast_of, known_workflows
from ..found_runs import name_of
from ..standings import Choice
from .apart import cast_apart, outpost

LONGEST: Final = 60
"""Seconds for reading all workflows."""
LONGEST_ERROR: Final = 400
"""Maximum characters of a library's error."""
FRESH: Final = 1.0
"""Seconds for which the state of the files is taken as known: reading it takes as long as launching an agent."""
MOST: Final = 80
"""Maximum characters of an activity's text."""


class Loaded:
    """The graphs that this process has imported, without those whose files have changed since."""

    def __init__(self) -> None:
        self._sign, self._looked = signature(packages(), everything=True), time.monotonic()
        self._loaded = self._now = digests()

    def __call__(self) -> Mapping[str, str]:
        """Return the digest of each unchanged workflow, by module. It reads the files at most once a second."""
        if time.monotonic() - self._looked < FRESH:
            return self._now
        self._looked = time.monotonic()
        sign = signature(packages(), everything=True)
        if sign != self._sign:
            self._sign, fresh = sign, _read_anew()
            self._now = {module: digest for module, digest in self._loaded.items() if fresh.get(module) == digest}
        return self._now


def digests() -> Mapping[str, str]:
    """Return the digest of the graph of each known script."""
    return {script.module: script.digest for script in graphs_of(known_workflows()).scripts}


def _read_anew() -> Mapping[str, str]:
    """Return the digests from a new process that imports the current files; empty on failure."""
    python, *more = launcher()
    try:
        words = (program_path(python), *more, "-m", __name__)
        ran = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST, check=True)
        found = json.loads(ran.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return {}
    return {str(module): str(digest) for module, digest in found.items()}


async def served(
    choice: Choice,
    most: Mapping[AgentRole, int],
    drain: timedelta,
    roles: Collection[AgentRole] = tuple(AgentRole),
    metrics: str = "",
    as_json: bool = False,
) -> None:
    """Serve a host, or a pool, until a signal; agents at work then have some time, which a second signal ends.

    Raises ServerError if the server or the namespace cannot be used.
    """
    brief("temporalio")
    client = await connected(choice.address, choice.namespace, metrics=metrics)
    await check_namespace(client)
    await check_store()
    until, tell = asyncio.Event(), _emit if as_json else _tell
    known = Known(known_workflows())
    host = outpost(client, tell) if choice.apart else Host(cast_for, known, Loaded(), tell)

    def asked() -> None:
        if until.is_set():
            host.end()
        elif drain:
            _draining(drain, as_json)
        until.set()

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, asked)
    _began(choice, as_json)
    try:
        await serve(
            client, choice.queue, host, until, most, drain, choice.pool, roles, Allowed(packages(), known.graphs)
        )
    except RuntimeError as error:
        raise ServerError(f"the worker ended, because the server refused it: {error.__cause__ or error}") from None


def _began(choice: Choice, as_json: bool) -> None:
    if as_json:
        begun = {"queue": choice.queue, "pool": choice.pool, "address": choice.address, "namespace": choice.namespace}
        emit({"event": "serving", **begun}, one_line=True)
        return
    screen, where = out(), f"the pool {choice.pool}" if choice.pool else choice.queue
    screen.line(("serving ", "bold"), f"{where}, for {choice.address}, namespace {choice.namespace}; Ctrl-C ends it")
    screen.stream.flush()


def _draining(drain: timedelta, as_json: bool) -> None:
    if as_json:
        emit({"event": "draining", "seconds": drain.total_seconds()}, one_line=True)
        return
    screen = out()
    screen.line(f"ending; agents at work have {drain.total_seconds():g} seconds, Ctrl-C ends them at once")
    screen.stream.flush()


def cast_for(run: str, record: Record) -> Cast:
    """Return the cast of the run in a folder.

    Raises RefusedError for the folder of another user, or a run that this user neither started nor agreed to.
    """
    owner = os.stat(run).st_uid
    if hasattr(os, "getuid") and owner != os.getuid():
        fix = "Start a worker as that user."
        raise RefusedError(CODE, run, f"this run directory belongs to the user with the number {owner}", fix)
    marks.check(run, record.spec, (record.address, record.namespace))
    if record.apart:
        return cast_apart(run, record.spec)
    return cast_of(record.spec, record.root)


def _emit(run: str, what: str) -> None:
    with suppress(OSError):
        emit({"event": "activity", "run": folder_of(run), "text": what}, one_line=True)


def brief(library: str) -> None:
    """Print a library's errors in one line each, without a traceback: the run itself reports what ends it."""
    logger = logging.getLogger(library)
    logger.setLevel(logging.ERROR)
    logger.propagate = False
    logger.handlers = [_Brief()]


class _Brief(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        _say(str(error or record.getMessage())[:LONGEST_ERROR])


def _tell(run: str, what: str) -> None:
    _say(f"{name_of(folder_of(run))}  {on_a_screen(what)[:MOST]}")


def _say(text: str) -> None:
    screen = out()
    with suppress(OSError):  # nobody reads the output, which does not affect runs
        screen.line((f"{time.strftime('%H:%M:%S')}  ", "dim"), on_a_screen(text))
        screen.stream.flush()


if __name__ == "__main__":
    print(json.dumps(dict(digests())))
