"""Days pass at a Temporal server that skips time: a run that waits for a user or a retry loses nothing."""

import asyncio
import os
from collections.abc import Awaitable
from datetime import timedelta
from pathlib import Path

import pytest
from attrs import evolve
from temporalio.testing import WorkflowEnvironment

from lib.workflow.run.driver.ceilings import KEYS
from lib.workflow.run.engine import Ended, State
from tests.run.engines import alone, failing, gone, rehearsed
from tests.run.runs import KNOWN
from tests.run.temporal.servers import BIN
from tests.run.temporal.stages import Remotely

pytestmark = pytest.mark.long

ANALYSIS = KNOWN.workflows["skills.problem_analysis.analyze"]


async def passing(skipping: WorkflowEnvironment, run: Awaitable[Ended]) -> Ended:
    """Return the end of a run while a day passes every moment."""
    going = asyncio.ensure_future(run)
    while not going.done():
        await skipping.sleep(timedelta(days=1))
        await asyncio.sleep(0.2)
    return await going


def test_a_run_waits_for_days(tmp_path: Path) -> None:
    play = failing(alone(rehearsed(ANALYSIS, tmp_path)), 4, "no credit before tomorrow", backoff=3600.0 * 24)

    async def act() -> None:
        program = os.path.join(BIN, "temporal-test-server")
        async with await WorkflowEnvironment.start_time_skipping(test_server_existing_path=program) as skipping:
            remote = Remotely(skipping.client.service_client.config.target_host, "days")
            async with remote.serving():
                begun = await skipping.get_current_time()
                assert (await passing(skipping, gone(remote, play))).state is State.WAITING
                await skipping.sleep(timedelta(days=30))
                await remote.answer(play, ["1"])
                assert (await passing(skipping, gone(remote, play))).state is State.DONE
                assert timedelta(days=32) < await skipping.get_current_time() - begun

    asyncio.run(act())
    assert [each.number for each in play.events if each.key == "1.thinks" and each.event == "failed"] == [1, 2, 3]


def test_minutes_of_a_run_are_those_of_its_server(tmp_path: Path) -> None:
    play = failing(alone(rehearsed(ANALYSIS, tmp_path)), 1, "no reply", backoff=3600.0 * 24)
    play = evolve(play, max_minutes=60)

    async def act() -> None:
        program = os.path.join(BIN, "temporal-test-server")
        async with await WorkflowEnvironment.start_time_skipping(test_server_existing_path=program) as skipping:
            remote = Remotely(skipping.client.service_client.config.target_host, "minutes")
            async with remote.serving():
                assert (await passing(skipping, gone(remote, play))).state is State.WAITING
                assert [each.key for each in (await remote.stand(play)).account.questions] == [f"{KEYS}minutes1"]
                await skipping.sleep(timedelta(days=30))
                await remote.answer(play, ["1"])
                assert (await passing(skipping, gone(remote, play))).state is State.DONE

    asyncio.run(act())
