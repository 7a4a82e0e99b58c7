"""A worker for a host: it serves runs only by the code that it was started with."""

import asyncio
import json
import logging
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from ..command import launcher
from ..run import mark as marks
from ..run.allowed_commands import Known
from ..run.graphs import graphs_of
from ..run.pool import Cast
from ..run.temporal.client import connected
from ..run.temporal.host import Host
from ..run.temporal.place import Record, folder_of
from ..run.temporal.worker import serve
from ..types import AgentRole
from ..util.characters import on_a_screen
from .engines import cast_of, known_workflows
from .found_runs import name_of
from .listing_cache import signature
from .packages import packages
from .screen import emit, out

LONGEST: Final = 60
"""Seconds for reading all workflows."""
MOST: Final = 80
"""Maximum characters of an activity's text."""


class Loaded:
    """The graphs that this process has imported, without those whose files have changed since."""

    def __init__(self) -> None:
        self._sign = signature(packages(), everything=True)
        self._loaded = self._now = digests()

    def __call__(self) -> Mapping[str, str]:
        """Return the digests by module."""
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
    words = (*launcher(), "-m", __name__)
    try:
        ran = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST, check=True)
        found = json.loads(ran.stdout)
    except (subprocess.SubprocessError, ValueError):
        return {}
    return {str(module): str(digest) for module, digest in found.items()}


async def served(
    address: str, namespace: str, queue: str, most: Mapping[AgentRole, int], as_json: bool = False
) -> None:
    """Serve a host until a signal. Raises ServerError if no server answers."""
    logging.getLogger("temporalio").setLevel(logging.ERROR)  # the run itself reports errors that are retried
    client = await connected(address, namespace)
    until = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, until.set)
    await serve(
        client, queue, Host(cast_for, Known(known_workflows()), Loaded(), _emit if as_json else _tell), until, most
    )


def cast_for(run: str, record: Record) -> Cast:
    """Return the cast of the run in a folder. Raises RefusedError if this user neither started nor agreed to it."""
    marks.check(run, record.spec, (record.address, record.namespace))
    return cast_of(record.spec, record.root)


def _emit(run: str, what: str) -> None:
    with suppress(OSError):
        emit({"event": "activity", "run": folder_of(run), "text": what}, one_line=True)


def _tell(run: str, what: str) -> None:
    screen = out()
    with suppress(OSError):  # nobody reads the output, which does not affect runs
        screen.line((f"{time.strftime('%H:%M:%S')}  ", "dim"), f"{name_of(folder_of(run))}  ", on_a_screen(what)[:MOST])
        screen.stream.flush()


if __name__ == "__main__":
    print(json.dumps(dict(digests())))
