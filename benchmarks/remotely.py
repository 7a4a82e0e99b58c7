"""The same runs with the Temporal engine: a server and a worker, both on this machine."""

import asyncio
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from temporalio.client import Client
from temporalio.testing import WorkflowEnvironment

from benchmarks import alone
from lib.workflow.app.runs.hosts.serving import Loaded
from lib.workflow.command import Command
from lib.workflow.core import Workflow
from lib.workflow.run.allowed_commands import Known
from lib.workflow.run.clients.agents import Agent
from lib.workflow.run.driver.activities import Printed
from lib.workflow.run.engine import Spec, State
from lib.workflow.run.pool import Cast
from lib.workflow.run.temporal.connection import connected
from lib.workflow.run.temporal.engine import Server, TemporalEngine
from lib.workflow.run.temporal.host.host import Host
from lib.workflow.run.temporal.worker import serve

QUEUE: Final = "bench"
SETTINGS: Final = ("--dynamic-config-value", "history.transferProcessorMaxPollRPS=500")
"""Reads of the queue of a shard per second. With the default, 20, one run starts at most 80 agents per second."""


class Remotely:
    """A running server and worker."""

    def __init__(self, runner: asyncio.Runner, address: str, workflows: tuple[Workflow, ...], folder: str) -> None:
        self._folder = folder
        self._runner, self._address, self._known = runner, address, Known(workflows)
        self._casts: dict[str, Cast] = {}

    def alone(self, agents: int, parallel: int) -> None:
        """Have the SDK alone execute that number of activities, at the same server."""

        async def executed() -> None:
            client = await Client.connect(self._address)
            async with alone.serving(client):
                await alone.executed(client, agents, parallel)

        self._runner.run(executed())

    def host(self) -> Host:
        """Return a host that gives each run its own cast."""
        return Host(lambda _, record: self._casts[record.spec.request], self._known, Loaded())

    def driven(self, spec: Spec, agent: Agent, prints: Iterator[str]) -> None:
        """Drive one run, whose steps print one page after the other."""

        async def run_step(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
            return Printed(0, next(prints), "")

        folder = tempfile.mkdtemp(dir=self._folder)  # deleted after all runs, because that takes time too
        self._casts[spec.request] = cast = Cast(agent=agent, run_step=run_step)
        server = Server(address=self._address, namespace="default", queue=QUEUE, root=folder)
        engine = TemporalEngine(server, self._known, cast)
        ended = self._runner.run(engine.go(os.path.join(folder, "driver"), spec))
        assert ended.state is State.DONE, ended.text


async def _started(program: str) -> WorkflowEnvironment:
    """Start a server. One that does not answer within the 5 s of the SDK, from a slow disk, answers the next time."""
    for last in (False, True):
        try:
            return await WorkflowEnvironment.start_local(
                dev_server_existing_path=program, dev_server_log_level="error", dev_server_extra_args=SETTINGS
            )
        except RuntimeError:
            if last:
                raise
    raise AssertionError


@contextmanager
def remotely(workflows: Iterable[Workflow]) -> Iterator[Remotely]:
    """Run a server and a worker during the block."""
    with asyncio.Runner() as runner, tempfile.TemporaryDirectory() as folder:
        program = os.path.join(os.path.dirname(sys.executable), "temporal")
        server = runner.run(_started(program))
        address = server.client.service_client.config.target_host
        remote, until = Remotely(runner, address, tuple(workflows), folder), asyncio.Event()

        async def begun() -> "asyncio.Task[None]":
            return asyncio.ensure_future(serve(await connected(address, "default"), QUEUE, remote.host(), until))

        working = runner.run(begun())
        yield remote

        async def ended() -> None:
            until.set()
            await working
            await server.shutdown()

        runner.run(ended())
