"""Kills of workers, the server and watchers at any moment: every run ends as if none had been killed."""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from temporalio.converter import WorkflowSerializationContext

from lib.workflow.run.clients.agents import Attempt
from lib.workflow.run.engine import Ended, State
from lib.workflow.run.journal.journal import Entry
from lib.workflow.run.journal.mark import mark
from lib.workflow.run.temporal import engine as temporal
from lib.workflow.run.temporal.connection import ServerError, connected
from lib.workflow.run.temporal.host_record import read_record
from lib.workflow.run.temporal.payloads.payloads import CONVERTER
from lib.workflow.run.temporal.wire import AttemptCall, StepCall
from tests.run.engines import Locally, Play, gone, outcome, rehearsed
from tests.run.runs import KNOWN
from tests.run.temporal.servers import LONGEST, Server, Workers
from tests.run.temporal.stages import Remotely

pytestmark = pytest.mark.long
MODULES = ("skills.planner.orchestrator.planner", "skills.problem_analysis.analyze")
KILLS = 3
MOST_AT_WORK = 16
"""Activities of these runs at one moment. Only those are repeated after a kill."""
SOON = 1_000
"""Milliseconds without a heartbeat, after which another worker gets the work."""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[Play]:
    """Return the same runs, undisturbed."""
    folder = tmp_path_factory.mktemp("undisturbed")
    plays = [rehearsed(KNOWN.workflows[module], folder / module) for module in MODULES]
    ends = [asyncio.run(gone(Locally(), play)) for play in plays]
    assert {end.state for end in ends} == {State.DONE}
    return plays


@pytest.fixture
def lasting(tmp_path: Path) -> Iterator[Server]:
    """Start a server that keeps its state in a file."""
    server = Server(tmp_path / "server.db")
    yield server
    server.kill()


async def watched(remote: Remotely, play: Play) -> Ended:
    """Drive the run to its end, whatever happens to its workers."""
    deadline = asyncio.get_running_loop().time() + 5 * LONGEST
    while asyncio.get_running_loop().time() < deadline:
        try:
            return await gone(remote, play)
        except OSError:
            await asyncio.sleep(0.2)
    raise AssertionError("the server did not come back")


async def heard(play: Play) -> tuple[Entry, ...]:
    """Return the events of a run; a worker that has just started may not be ready yet."""
    while True:
        try:
            return await temporal.events(play.run)
        except ServerError:
            await asyncio.sleep(0.2)


async def done_once(remote: Remotely, play: Play) -> int:
    """Return the number of activities that were started more than once; each of them was scheduled once."""
    name = read_record(play.run).id
    converter = CONVERTER.with_context(WorkflowSerializationContext("default", name))
    client = await connected(remote.address, "default")
    history = await client.get_workflow_handle(name).fetch_history()
    ordered: Counter[tuple[str, int]] = Counter()
    for event in history.events:
        if event.HasField("activity_task_scheduled_event_attributes"):
            inputs = event.activity_task_scheduled_event_attributes.input.payloads
            (call,) = await converter.decode(inputs)
            if isinstance(call, StepCall):
                ordered[call.key, 0] += 1
            elif isinstance(call, AttemptCall):
                ordered[call.job.key, call.number] += 1
    assert set(ordered.values()) == {1}
    begun = [event.activity_task_started_event_attributes.attempt for event in history.events]
    return sum(max(attempt - 1, 0) for attempt in begun)


@asynccontextmanager
async def disturbed(server: Server, workers: Workers, random: Random) -> AsyncIterator[None]:
    """Kill a worker or the server at times, and restart it at once."""

    async def kill() -> None:
        for _ in range(KILLS):
            await asyncio.sleep(random.uniform(0.2, 2.5))
            if random.random() < 0.6:
                await asyncio.to_thread(workers.replace, random.randrange(2))
            else:
                server.kill()
                await asyncio.to_thread(server.begin)

    killing = asyncio.ensure_future(kill())
    yield
    await killing


def test_run_that_its_server_lost_restarts_without_repeating_work(tmp_path: Path) -> None:
    server, worked = Server(), Counter[str]()
    play = rehearsed(KNOWN.workflows[MODULES[1]], tmp_path)
    agent = play.cast.agent

    class Counted:
        async def work(self, attempt: Attempt) -> str:
            worked[attempt.job.key] += 1
            if attempt.job.key == "2.thinks" and worked["2.thinks"] == 1:
                server.kill()
                restart = asyncio.ensure_future(asyncio.to_thread(server.begin))
                await asyncio.shield(restart)  # the agent's time may be over before the server is back
            return await agent.work(attempt)

    play = evolve(play, cast=play.cast._replace(agent=Counted()))
    remote = Remotely(server.address, "forgets", heartbeat=SOON)

    async def act() -> None:
        async with remote.serving():
            assert (await watched(remote, play)).state is State.INTERRUPTED
            assert (await watched(remote, play)).state is State.DONE

    asyncio.run(act())
    server.kill()
    assert worked["1.thinks"] == 1


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (0, *range(2, 102)))])
def test_runs_survive_random_kills_with_the_same_result(
    undisturbed: list[Play], lasting: Server, tmp_path: Path, seed: int
) -> None:
    remote = Remotely(lasting.address, "kills", heartbeat=SOON)
    plays = [rehearsed(KNOWN.workflows[module], tmp_path / module) for module in MODULES]
    again: list[int] = []
    for play in plays:
        os.makedirs(play.run)
        mark(play.run, play.spec, (lasting.address, "default"))

    async def act(workers: Workers) -> None:
        async with disturbed(lasting, workers, Random(seed)):
            ends = await asyncio.gather(*(watched(remote, play) for play in plays))
        assert [(end.state, end.text) for end in ends if end.state is not State.DONE] == []
        again.extend([await done_once(remote, play) for play in plays])
        for play in plays:
            play.events[:] = await heard(play)

    with ExitStack() as stack:
        asyncio.run(act(Workers(stack, lasting, remote.queue, tmp_path, 2)))
    assert outcome(plays[0]) == outcome(undisturbed[0])
    for play, quiet in zip(plays, undisturbed, strict=True):
        assert play.trail == quiet.trail
    assert sum(again) <= KILLS * MOST_AT_WORK
