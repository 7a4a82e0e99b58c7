"""A program run to its end beside others: its output is read as it comes, and its whole group ends with it."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, Final, Protocol

from ...util import processes
from ...util.processes import Process
from .process import over

READ: Final = 1 << 16
"""Bytes per read."""
DRAINED: Final = 1 << 20
"""Bytes read after its end: the capacity of a pipe. Processes that it left running may write for ever."""


class Sink(Protocol):
    """A receiver of a program's output."""

    def write(self, data: bytes, /) -> object:
        """Take bytes. Raises OSError if it cannot."""


async def run(
    words: Sequence[str],
    *,
    out: Sink,
    errors: Sink,
    environment: Mapping[str, str],
    given: IO[bytes] | None = None,
    cwd: str | None = None,
    grace: float = 0,
) -> int:
    """Run a program to its end, with all processes in its group.

    Args:
        words: The program and its arguments.
        out: Receives its standard output.
        errors: Receives its standard error.
        environment: Its whole environment.
        given: Its standard input; empty if None.
        cwd: Working directory.
        grace: Seconds that it has to end by itself when this call is cancelled.

    Returns:
        Its exit status; negative for a signal.

    Raises:
        OSError: If it cannot be started, or a sink refuses its output. The program has then ended.
    """
    process = processes.start(
        words,
        cwd=cwd,
        environment=environment,
        stdin=subprocess.DEVNULL if given is None else given,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        readers = [_Reader(process, process.stdout, out), _Reader(process, process.stderr, errors)]
        try:
            with _reading(readers):
                await over(process)
        except asyncio.CancelledError:
            with _reading(readers):
                await _asked_to_end(process, grace)
            raise
        finally:
            status = processes.end(process)
            for reader in readers:
                reader.drain()
    for reader in readers:
        if reader.error is not None:
            raise reader.error
    return status


async def _asked_to_end(process: Process, grace: float) -> None:
    if not grace:
        return
    processes.signal_group(process, signal.SIGTERM)
    try:
        async with asyncio.timeout(grace):
            await over(process)
    except TimeoutError:
        return


class _Reader:
    """A reader of one pipe of a program into a sink."""

    def __init__(self, process: Process, pipe: IO[bytes] | None, sink: Sink) -> None:
        assert pipe is not None
        self.handle = pipe.fileno()
        os.set_blocking(self.handle, False)
        self.error: OSError | None = None
        self._process, self._sink = process, sink

    def read(self) -> int:
        """Read once and return the number of bytes. A program whose sink fails is killed."""
        try:
            data = os.read(self.handle, READ)
        except BlockingIOError:
            return 0
        if not data:
            asyncio.get_running_loop().remove_reader(self.handle)
        try:
            if self.error is None:
                self._sink.write(data)
        except OSError as error:
            self.error = error
            processes.signal_group(self._process, signal.SIGKILL)
        return len(data)

    def drain(self) -> None:
        """Read the rest of the pipe."""
        left = DRAINED
        while left > 0 and (size := self.read()):
            left -= size


@contextmanager
def _reading(readers: Sequence[_Reader]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for reader in readers:
        loop.add_reader(reader.handle, reader.read)
    try:
        yield
    finally:
        for reader in readers:
            loop.remove_reader(reader.handle)
