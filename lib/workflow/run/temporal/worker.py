"""A worker: serves a host, with a queue for its runs and their steps, and one for each role of agents."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from temporalio.client import Client
from temporalio.worker import PollerBehaviorSimpleMaximum, Worker

from ...types import AgentRole
from .host import Host
from .remote import queue_of
from .workflow import RUNNER, Run

STEPS: Final = 8
"""Maximum steps at a time, of all runs."""
AGENTS: Final = 8
"""Default for the maximum agents of one role at a time, of all runs."""
STICKY: Final = timedelta(seconds=3)
"""Time for a worker that has a run in memory, before another one is asked."""
FEW: Final = PollerBehaviorSimpleMaximum(maximum=2)


async def serve(
    client: Client, queue: str, host: Host, until: asyncio.Event, most: Mapping[AgentRole, int] = MappingProxyType({})
) -> None:
    """Serve the host until the event is set; then stop its agents, whose work goes to the next worker."""
    async with AsyncExitStack() as stack:
        for worker in (_runs(client, queue, host), *_agents(client, queue, host, most)):
            await stack.enter_async_context(worker)
        await until.wait()


def _runs(client: Client, queue: str, host: Host) -> Worker:
    return Worker(
        client,
        task_queue=queue,
        workflows=[Run],
        workflow_runner=RUNNER,
        activities=[host.step, host.user],
        max_concurrent_activities=STEPS,
        sticky_queue_schedule_to_start_timeout=STICKY,
    )


def _agents(client: Client, queue: str, host: Host, most: Mapping[AgentRole, int]) -> list[Worker]:
    return [
        Worker(
            client,
            task_queue=queue_of(queue, role),
            activities=[host.attempt],
            max_concurrent_activities=most.get(role, AGENTS),
            activity_task_poller_behavior=FEW,
        )
        for role in AgentRole
    ]
