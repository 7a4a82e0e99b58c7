"""A worker: serves a host, with a queue for its runs and their steps, and one for each role of agents; or a pool."""

import asyncio
from collections.abc import Collection, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from temporalio.client import Client
from temporalio.worker import PollerBehavior, PollerBehaviorAutoscaling, PollerBehaviorSimpleMaximum, Worker

from ...types import AgentRole
from .apart.commands import Allowed
from .apart.desk import Desk
from .apart.errand import Errand
from .apart.outpost import Outpost
from .host.host import Host
from .remote import queue_of
from .workflow import RUNNER, Run

STEPS: Final = 8
"""Maximum steps at a time, of all runs."""
AGENTS: Final = 8
"""Default for the maximum agents of one role at a time, of all runs."""
STICKY: Final = timedelta(seconds=3)
"""Time for a worker that has a run in memory, before another one is asked."""
NOTHING: Final = Allowed()
ONE, MANY = PollerBehaviorSimpleMaximum(maximum=1), PollerBehaviorAutoscaling(minimum=1, maximum=20, initial=2)
"""Requests for agents that wait at the server: one for each host of a pool, so that work spreads over them."""


async def serve(
    client: Client,
    queue: str,
    host: Host | Outpost,
    until: asyncio.Event,
    most: Mapping[AgentRole, int] = MappingProxyType({}),
    drain: timedelta = timedelta(0),
    pool: str = "",
    roles: Collection[AgentRole] = tuple(AgentRole),
    allowed: Allowed = NOTHING,
) -> None:
    """Serve the host until the event is set; then take no new work, and stop its agents after the time to drain.

    Their work goes to the next worker.

    Args:
        client: The client of the server.
        queue: Queue of the host.
        host: Executes the work; an outpost serves a pool only.
        until: Ends the worker.
        most: Maximum agents of a role at a time.
        drain: Time that agents and steps at work have to finish.
        pool: Pool whose agents to launch. Then the worker executes no runs and no steps.
        roles: Roles whose agents to launch.
        allowed: The commands that agents on other hosts may have run.
    """
    workers = _agents(client, pool or queue, host, most, drain, roles, ONE if pool else MANY)
    if isinstance(host, Host) and not pool:
        workers.append(_runs(client, queue, host, Desk(host, client, allowed), drain))
    running = [asyncio.ensure_future(worker.run()) for worker in workers]
    ending = asyncio.ensure_future(until.wait())
    try:
        await asyncio.wait([ending, *running], return_when=asyncio.FIRST_COMPLETED)
    finally:  # all at once, so that none takes new work while another one drains
        ending.cancel()
        await asyncio.gather(*(worker.shutdown() for worker in workers))
    await asyncio.gather(*running)


def _runs(client: Client, queue: str, host: Host, desk: Desk, drain: timedelta) -> Worker:
    return Worker(
        client,
        task_queue=queue,
        workflows=[Run, Errand],
        workflow_runner=RUNNER,
        activities=[host.step, host.user, host.ended, desk.open, desk.command, desk.close],
        max_concurrent_activities=STEPS,
        max_concurrent_local_activities=STEPS,
        sticky_queue_schedule_to_start_timeout=STICKY,
        graceful_shutdown_timeout=drain,
    )


def _agents(
    client: Client,
    place: str,
    host: Host | Outpost,
    most: Mapping[AgentRole, int],
    drain: timedelta,
    roles: Collection[AgentRole],
    pollers: PollerBehavior,
) -> list[Worker]:
    return [
        Worker(
            client,
            task_queue=queue_of(place, role),
            activities=[host.attempt],
            max_concurrent_activities=most.get(role, AGENTS),
            activity_task_poller_behavior=pollers,
            graceful_shutdown_timeout=drain,
        )
        for role in AgentRole
        if role in roles
    ]
