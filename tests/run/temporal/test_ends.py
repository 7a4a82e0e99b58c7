"""The end of a run on a Temporal server: cancelled, terminated, or forgotten by the server."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.run.clients.agents import Attempt
from lib.workflow.run.engine import State
from lib.workflow.run.journal.journal import Event
from lib.workflow.run.temporal import engine as temporal
from lib.workflow.run.temporal.client.client import Remotely as Client
from lib.workflow.run.temporal.connection import connected
from lib.workflow.run.temporal.host_record import read_record, write_record
from lib.workflow.run.temporal.place import id_of
from lib.workflow.run.temporal.wire import Heard
from tests.run.engines import Locally, Play, alone, gone, rehearsed
from tests.run.temporal.stages import Remotely
from tests.run.temporal.test_runs import ANALYSIS, Broke, histories, run


def test_a_cancelled_run_has_stopped_its_agents(remote: Remotely, tmp_path: Path) -> None:
    stopped: list[str] = []
    at_work = asyncio.Event()

    class Endless:
        async def work(self, attempt: Attempt) -> str:
            at_work.set()
            try:
                await asyncio.Event().wait()
            finally:
                stopped.append(attempt.job.key)
            return ""

    play = alone(rehearsed(ANALYSIS, tmp_path))
    play = evolve(play, cast=play.cast._replace(agent=Endless(), seconds=60.0))
    remote.heartbeat = 1000

    async def act() -> None:
        going = asyncio.ensure_future(gone(remote, play))
        await at_work.wait()
        now = await remote.stand(play)
        assert (now.state, len(now.account.at_work)) == (State.AT_WORK, 1)
        await temporal.cancel(play.run)
        assert (await going).state is State.CANCELLED
        assert stopped == ["1.thinks"]
        assert (await remote.stand(play)).state is State.CANCELLED
        with pytest.raises(ValueError, match="cancelled"):
            await temporal.cancel(play.run)

    run(remote, act)


def test_a_run_is_cancelled_although_its_agent_finishes_first(remote: Remotely, tmp_path: Path) -> None:
    at_work, ends = asyncio.Event(), asyncio.Event()
    play = alone(rehearsed(ANALYSIS, tmp_path))
    agent = play.cast.agent

    class Finishing:
        async def work(self, attempt: Attempt) -> str:
            at_work.set()
            await ends.wait()
            return await agent.work(attempt)

    play = evolve(play, cast=play.cast._replace(agent=Finishing(), seconds=60.0))
    remote.heartbeat = 60_000  # so the agent does not learn of the request

    async def act() -> None:
        going = asyncio.ensure_future(gone(remote, play))
        await at_work.wait()
        cancelling = asyncio.ensure_future(temporal.cancel(play.run))
        while not await is_asked_to_end(remote, play):
            await asyncio.sleep(0.05)
        ends.set()
        await cancelling
        assert (await going).state is State.CANCELLED
        assert (await remote.stand(play)).state is State.CANCELLED

    run(remote, act)


def test_watcher_sees_the_last_events_although_no_worker_reports_a_run_that_has_ended(
    remote: Remotely, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = (rehearsed(ANALYSIS, tmp_path / name) for name in ("here", "there"))
    heard = Client.heard

    async def unless_ended(self: Client, since: int) -> Heard | None:
        return None if await self.halt() else await heard(self, since)

    monkeypatch.setattr(Client, "heard", unless_ended)

    async def act() -> None:
        assert (await gone(remote, there)).state is State.DONE

    assert asyncio.run(gone(Locally(), here)).state is State.DONE
    run(remote, act)
    assert there.trail == here.trail


async def is_asked_to_end(remote: Remotely, play: Play) -> bool:
    (history,) = await histories(remote, play)
    return any(event.HasField("workflow_execution_cancel_requested_event_attributes") for event in history.events)


def test_cancelling_reports_a_run_that_was_done_first(remote: Remotely, tmp_path: Path) -> None:
    play = rehearsed(ANALYSIS, tmp_path)

    async def act() -> None:
        assert (await gone(remote, play)).state is State.DONE
        with pytest.raises(ValueError, match=r"\bdone\b"):
            await temporal.cancel(play.run)
        assert (await remote.stand(play)).state is State.DONE

    run(remote, act)


@pytest.mark.parametrize("is_watched", [True, False])
def test_a_terminated_run_is_stopped_although_it_does_not_know(
    remote: Remotely, is_watched: bool, tmp_path: Path
) -> None:
    at_work, ended = asyncio.Event(), asyncio.Event()

    class Endless:
        async def work(self, attempt: Attempt) -> str:
            at_work.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            return ""

    play = alone(rehearsed(ANALYSIS, tmp_path))
    play = evolve(play, cast=play.cast._replace(agent=Endless(), seconds=60.0))
    remote.heartbeat = 1000

    async def act() -> None:
        going = asyncio.ensure_future(gone(remote, play))
        await at_work.wait()
        if not is_watched:
            going.cancel()
        client = await connected(remote.address, "default")
        await client.get_workflow_handle(read_record(play.run).id).terminate(reason="it costs too much")
        if is_watched:
            end = await going
            assert (end.state, "costs too much" in end.text) == (State.STOPPED, True)
        now = await remote.stand(play)
        assert (now.state, now.account.at_work, "costs too much" in now.account.text) == (State.STOPPED, (), True)
        await ended.wait()

    run(remote, act)


def test_a_terminated_run_is_resumed_without_repeating_its_work(remote: Remotely, tmp_path: Path) -> None:
    at_work, worked = asyncio.Event(), Counter[str]()
    play = rehearsed(ANALYSIS, tmp_path)
    agent = play.cast.agent

    class Slow:
        async def work(self, attempt: Attempt) -> str:
            worked[attempt.job.key] += 1
            if attempt.job.key == "2.thinks" and not at_work.is_set():
                at_work.set()
                await asyncio.Event().wait()
            return await agent.work(attempt)

    play = evolve(play, cast=play.cast._replace(agent=Slow(), seconds=60.0))
    remote.heartbeat = 1000

    async def act() -> None:
        going = asyncio.ensure_future(gone(remote, play))
        await at_work.wait()
        client = await connected(remote.address, "default")
        await client.get_workflow_handle(read_record(play.run).id).terminate()
        assert (await going).state is State.STOPPED
        assert (await gone(remote, play)).state is State.DONE
        assert (worked["1.thinks"], worked["2.thinks"]) == (1, 2)

    run(remote, act)


@pytest.mark.parametrize("end", [State.DONE, State.CANCELLED, State.STOPPED])
def test_a_run_that_the_server_has_forgotten_keeps_its_end_and_its_log(
    remote: Remotely, end: State, tmp_path: Path
) -> None:
    play = rehearsed(ANALYSIS, tmp_path)
    if end is not State.DONE:
        play = alone(evolve(play, cast=play.cast._replace(agent=Broke())))

    async def act() -> None:
        ended = await gone(remote, play)
        if end is State.CANCELLED:
            await temporal.cancel(play.run)
        elif end is State.STOPPED:
            await remote.answer(play, ["2"])
            while (await remote.stand(play)).state is not end:
                await asyncio.sleep(0.1)
        before = await remote.stand(play)
        assert before.state is end
        record = read_record(play.run)
        write_record(play.run, evolve(record, id=id_of(remote.queue, play.run)))  # the server knows no such run
        after, events = await remote.stand(play), await temporal.events(play.run)
        assert (after.state, after.account.pages) == (end, before.account.pages or after.account.pages)
        assert events[-1].event.value == end.value
        if end is State.DONE:
            assert [each.key for each in events] == [each.key for each in play.events]
            assert await gone(remote, play) == ended

    run(remote, act)


def test_the_end_of_a_run_is_known_without_its_server(remote: Remotely, tmp_path: Path) -> None:
    play = rehearsed(ANALYSIS, tmp_path)

    async def act() -> None:
        ended = await gone(remote, play)
        record = read_record(play.run)
        write_record(play.run, evolve(record, address="127.0.0.1:1"))
        assert (await remote.stand(play)).state is State.DONE
        assert (await temporal.events(play.run))[-1].event is Event.DONE
        assert await gone(remote, play) == ended

    run(remote, act)
