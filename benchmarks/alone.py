"""The same numbers of activities by Temporal's SDK alone, at the same server: nothing here is ours."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

QUEUE: Final = "alone"
AGENTS: Final = f"{QUEUE}.agents"
LONGEST: Final = timedelta(minutes=1)


@activity.defn
async def nothing(number: int) -> int:
    """Return the number."""
    return number


@workflow.defn
class Alone:
    """Activities that take no time, some of them at a time."""

    @workflow.run
    async def run(self, agents: int, parallel: int) -> None:
        """Execute them all."""
        free = asyncio.Semaphore(parallel)

        async def one(number: int) -> None:
            async with free:
                await workflow.execute_activity(nothing, number, task_queue=AGENTS, start_to_close_timeout=LONGEST)

        await asyncio.gather(*map(one, range(agents)))


@asynccontextmanager
async def serving(client: Client) -> AsyncIterator[None]:
    """Run the workers during the block: one for the workflow, one for its activities, as ours are."""
    workflows = Worker(client, task_queue=QUEUE, workflows=[Alone], workflow_runner=UnsandboxedWorkflowRunner())
    async with workflows, Worker(client, task_queue=AGENTS, activities=[nothing]):
        yield


async def executed(client: Client, agents: int, parallel: int) -> None:
    """Execute one workflow with that number of activities."""
    await client.execute_workflow(Alone.run, args=[agents, parallel], id=os.urandom(8).hex(), task_queue=QUEUE)
