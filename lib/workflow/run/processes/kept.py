"""Programs that outlive this process: a keeper runs them, and records the result of each."""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from typing import Annotated, Final

from attrs import frozen

from ...arguments.parameter import Arg
from ...codec import codec
from ...util.search_path import program_path

KEEPER: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keeper.py")
READ: Final = 1 << 16


@frozen(kw_only=True)
class Over:
    """The result of a program."""

    status: Annotated[int, Arg(min=-255, max=255)]
    """Exit status; negative for a signal."""
    out: int
    errors: int
    """Number of bytes that it wrote to each stream."""
    fault: str = ""
    """Reason why it did not run, or its output was not kept."""


@frozen(kw_only=True)
class Files:
    """The files of a program, by absolute paths."""

    given: str
    """File with its input. When it is over, its result is appended after a null byte."""
    out: str
    errors: str
    """Files for its output. None of them exists at first, and a program without output makes none."""


def left(given: str) -> tuple[bytes, Over] | None:
    """Return the input of a program and its recorded result; None if there is none."""
    try:
        with open(given, "rb") as file:
            before, _, result = file.read().partition(b"\0")
        return before, codec(Over).loads(result)
    except (OSError, ValueError):
        return None


async def run(
    words: Sequence[str],
    files: Files,
    *,
    environment: Mapping[str, str],
    cwd: str | None,
    seconds: float,
    grace: float,
) -> Over:
    """Run a program to its end, with all processes in its group.

    Args:
        words: The program and its arguments.
        files: Its files.
        environment: Its whole environment.
        cwd: Its working directory; None for this process's.
        seconds: Timeout after which it is killed, even if this process has ended by then.
        grace: Seconds that it has to end by itself when this call is cancelled.

    Raises:
        ConnectionError: If the keeper was killed.
        FileNotFoundError: If no program has this name.
    """
    return await _keeper().run(
        {
            "program": program_path(words[0], environment),
            "words": list(words),
            "cwd": os.path.abspath(cwd or "."),  # the keeper may have started in another folder
            "given": files.given,
            "out": files.out,
            "errors": files.errors,
            "seconds": seconds,
        },
        environment,
        grace,
    )


class _Keeper:
    """The keeper of this process, which starts with the first program. If it is killed, another one replaces it."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[Over]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._rest, self._environment = b"", dict(os.environ)
        self._socket = self._begun()

    def _begun(self) -> int:
        """Start it in a session of its own, which gets no signal of the terminal, and return our end of its socket."""
        ours, its = socket.socketpair()
        actions = [
            (os.POSIX_SPAWN_DUP2, its.fileno(), 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        words = [sys.executable, "-I", "-S", KEEPER]
        os.posix_spawn(sys.executable, words, self._environment, file_actions=actions, setsid=True)
        its.close()
        handle = ours.detach()
        with suppress(ConnectionError):  # the next message finds out
            _write(handle, self._environment)
        return handle

    async def run(self, order: dict[str, object], environment: Mapping[str, str], grace: float) -> Over:
        number, loop = next(self._numbers), asyncio.get_running_loop()
        ended = self._waiting[number] = loop.create_future()
        if self._loop is not loop:
            self._loop = loop
            loop.add_reader(self._socket, self._hear)
        try:
            self._send({"id": number, **order, "environment": changes(self._environment, environment)})
            return await asyncio.shield(ended)
        except asyncio.CancelledError:
            await self._ended(number, ended, grace)
            raise
        finally:
            del self._waiting[number]
            if not self._waiting:
                loop.remove_reader(self._socket)
                self._loop = None

    async def _ended(self, number: int, ended: "asyncio.Future[Over]", grace: float) -> None:
        """Make a program end: by SIGTERM, or else by SIGKILL."""
        for how, seconds in ((signal.SIGTERM, grace), (signal.SIGKILL, None)):
            with suppress(TimeoutError, ConnectionError):
                self._send({"id": number, "signal": int(how)})
                async with asyncio.timeout(seconds):
                    await asyncio.shield(ended)
                return

    def _send(self, message: Mapping[str, object]) -> None:
        try:
            _write(self._socket, message)
        except ConnectionError:
            self._lose()
            _write(self._socket, message)

    def _hear(self) -> None:
        try:
            data = os.read(self._socket, READ)
        except ConnectionError:
            data = b""
        if not data:
            self._lose()
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            waiting = self._waiting.get(message.pop("id"))
            if waiting is not None and not waiting.done():
                waiting.set_result(codec(Over).decode(message))

    def _lose(self) -> None:
        """Start another keeper: the results of this one's programs are lost."""
        if self._loop is not None:
            self._loop.remove_reader(self._socket)
        os.close(self._socket)
        self._socket, self._rest = self._begun(), b""
        if self._loop is not None:
            self._loop.add_reader(self._socket, self._hear)
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(ConnectionError("the process that kept it was killed"))


def _write(handle: int, message: Mapping[str, object]) -> None:
    rest = memoryview(f"{json.dumps(message)}\n".encode())
    while rest:
        rest = rest[os.write(handle, rest) :]


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str | None]:
    """Return the variables of an environment that differ from those of another one; None for one that it lacks."""
    removed: dict[str, str | None] = dict.fromkeys(before.keys() - after.keys())
    return removed | {name: value for name, value in after.items() if before.get(name) != value}


@cache
def _keeper() -> _Keeper:
    return _Keeper()
