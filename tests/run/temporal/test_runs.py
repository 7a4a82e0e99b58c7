"""State of a run on a Temporal server: its content, the growth of its history, and changed code."""

import asyncio
import json
import os
import re
import shutil
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from attrs import evolve
from temporalio.api.common.v1 import Payload
from temporalio.client import Client, WorkflowFailureError, WorkflowHistory
from temporalio.common import RetryPolicy
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError
from temporalio.worker import Replayer

from lib.workflow.command import Command
from lib.workflow.run.clients.agents import Attempt, CrashError
from lib.workflow.run.driver.activities import Printed
from lib.workflow.run.engine import State
from lib.workflow.run.faults import Fault
from lib.workflow.run.graphs import graphs_of
from lib.workflow.run.journal.spec import Spec
from lib.workflow.run.pool import Cast
from lib.workflow.run.temporal import remote as activities
from lib.workflow.run.temporal.client.client import Remotely as Watched
from lib.workflow.run.temporal.connection import connected
from lib.workflow.run.temporal.host import host
from lib.workflow.run.temporal.host.host import Host
from lib.workflow.run.temporal.host_record import read_record, write_record
from lib.workflow.run.temporal.payloads.payloads import CONVERTER, SHORT, Keeper
from lib.workflow.run.temporal.payloads.stores import PAYLOADS
from lib.workflow.run.temporal.place import id_of
from lib.workflow.run.temporal.wire import STEP, Heard, Launch
from lib.workflow.run.temporal.workflow import RUNNER, Run
from tests.run.engines import Play, alone, gone, rehearsed
from tests.run.runs import KNOWN
from tests.run.temporal import stages
from tests.run.temporal.recorded import restored
from tests.run.temporal.stages import DIGESTS, PATIENCE, Remotely

SURVEY = KNOWN.workflows["tests.workflows.survey.run"]
ANALYSIS = KNOWN.workflows["skills.problem_analysis.analyze"]
SOON = RetryPolicy(initial_interval=timedelta(milliseconds=10), maximum_attempts=5)
MOST_EVENTS, MOST_BYTES = 200, 96_000
"""Most events and bytes of a run of the planner, which a server has to keep."""
MOST_HISTORY = 400
"""Most bytes of an event, on average: its actor, its time, and the place of its content."""


def run(remote: Remotely, act: Callable[[], Awaitable[None]]) -> None:
    """Run an action while a worker is ready."""

    async def acted() -> None:
        async with remote.serving():
            await act()

    asyncio.run(acted())


async def histories(remote: Remotely, play: Play) -> list[WorkflowHistory]:
    """Return all events of a run, the latest first."""
    client = await connected(remote.address, "default")
    query = f"WorkflowId = '{read_record(play.run).id}'"
    return [
        await client.get_workflow_handle(each.id, run_id=each.run_id).fetch_history()
        async for each in client.list_workflows(query)
    ]


def payloads(message: object) -> list[Payload]:
    """Return every payload in a message."""
    if isinstance(message, Payload):
        return [message]
    found: list[Payload] = []
    for field, value in getattr(message, "ListFields", list)():
        many = value.values() if hasattr(value, "values") else value if field.is_repeated else [value]
        for each in many:
            found += payloads(each) if hasattr(each, "ListFields") else []
    return found


def test_the_server_holds_no_document(remote: Remotely, tmp_path: Path) -> None:
    play = rehearsed(ANALYSIS, tmp_path)

    async def act() -> None:
        await gone(remote, play)
        (history,) = await histories(remote, play)
        held = [payload for event in history.events for payload in payloads(event)]
        assert len(held) > len(play.trail) / 2
        assert max(payload.ByteSize() for payload in held) <= SHORT
        assert sum(event.ByteSize() for event in history.events) < MOST_HISTORY * len(history.events)
        texts = [path.read_bytes() for path in Path(play.run, PAYLOADS).iterdir()]
        assert any(b"step_header" in text for text in texts)

    run(remote, act)


def test_run_that_continues_in_a_new_history_ends_the_same(remote: Remotely, tmp_path: Path) -> None:
    faults = tuple(Fault)
    once, often = (rehearsed(ANALYSIS, tmp_path / name, 2, faults) for name in ("once", "often"))
    often = evolve(often, most_pages=2)

    async def act() -> None:
        ends = [await gone(remote, play) for play in (once, often)]
        assert ends[0] == ends[1]
        assert ends[0].state is State.DONE
        assert often.trail == once.trail
        pages = (await remote.stand(once)).account.pages
        assert (await remote.stand(often)).account.pages == pages
        assert len(await histories(remote, often)) == -(-pages // 2)

    run(remote, act)


async def replayed(history: WorkflowHistory) -> None:
    """Replay a history. Raises an error if the run takes another path."""
    await Replayer(workflows=[Run], workflow_runner=RUNNER, data_converter=CONVERTER).replay_workflow(history)


def test_replaying_a_run_is_deterministic(remote: Remotely, tmp_path: Path) -> None:
    play = rehearsed(SURVEY, tmp_path, 3, tuple(Fault))

    async def act() -> None:
        await gone(remote, play)
        (history,) = await histories(remote, play)
        await replayed(history)

    run(remote, act)


def test_stored_history_of_this_driver_version_replays(tmp_path: Path) -> None:
    asyncio.run(replayed(restored(tmp_path)))


def test_a_host_with_another_graph_runs_no_step_of_it(
    remote: Remotely, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = rehearsed(ANALYSIS, tmp_path)
    ran: list[str] = []
    run_step = play.cast.run_step

    async def counted(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
        ran.append(str(command))
        return await run_step(command, given, environment)

    play = evolve(play, cast=play.cast._replace(run_step=counted))

    async def act() -> None:
        monkeypatch.setattr(stages, "DIGESTS", {**stages.DIGESTS, ANALYSIS.module: "0" * 64})
        monkeypatch.setattr(activities, "AGAIN", SOON)
        ended = await gone(remote, play)
        assert (ended.state, ran) == (State.STOPPED, [])
        assert "000000000000" in ended.text
        assert stages.DIGESTS[SURVEY.module]
        monkeypatch.undo()
        assert (await gone(remote, play)).state is State.DONE

    run(remote, act)


def test_a_host_that_is_upgraded_meanwhile_does_the_work(
    remote: Remotely, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play, asked = rehearsed(SURVEY, tmp_path, 3), []
    old = {**stages.DIGESTS, SURVEY.module: "0" * 64}

    class Upgraded(Host):
        def _accepted(self, command: Command, digest: str) -> Command:
            asked.append(command)
            self._digests = lambda: old if len(asked) % 3 else DIGESTS  # each third question asks an upgraded worker
            return super()._accepted(command, digest)

    monkeypatch.setattr(stages, "Host", Upgraded)
    monkeypatch.setattr(activities, "AGAIN", SOON)
    run(remote, lambda: ends_done(remote, play))
    assert len(asked) > 3


async def ends_done(remote: Remotely, play: Play) -> None:
    assert (await gone(remote, play)).state is State.DONE


def test_a_folder_that_is_mounted_late_is_waited_for(
    remote: Remotely, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = rehearsed(ANALYSIS, tmp_path / "mount")
    away = tmp_path / "away"
    tried: list[int] = []

    class Mounting(Host):
        def _read_cast(self, run: str) -> tuple[Cast, Spec]:
            tried.append(1)
            if len(tried) == 1:
                (tmp_path / "mount").rename(away)
            try:
                return super()._read_cast(run)
            finally:
                if len(tried) == 1:
                    away.rename(tmp_path / "mount")

    monkeypatch.setattr(stages, "Host", Mounting)
    run(remote, lambda: ends_done(remote, play))
    assert len(tried) == 2


def test_a_run_starts_once_its_folder_is_mounted(
    remote: Remotely, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = rehearsed(ANALYSIS, tmp_path / "mount")
    missed, find = asyncio.Event(), Keeper._find

    def watched(self: Keeper, payload: Payload) -> Payload:
        try:
            return find(self, payload)
        except ApplicationError:
            missed.set()
            raise

    monkeypatch.setattr(Keeper, "_find", watched)

    async def act() -> None:
        going = asyncio.ensure_future(gone(remote, play))
        client = await connected(remote.address, "default")
        while not os.path.exists(play.run) or not await has_started(client, read_record(play.run).id):
            await asyncio.sleep(0.05)
        (tmp_path / "mount").rename(tmp_path / "away")
        async with remote.serving():
            await missed.wait()
            (tmp_path / "away").rename(tmp_path / "mount")
            assert (await going).state is State.DONE

    asyncio.run(act())


async def has_started(client: Client, run: str) -> bool:
    try:
        return bool(await client.get_workflow_handle(run).describe())
    except RPCError:
        return False


def test_a_folder_made_anew_is_another_run(remote: Remotely, tmp_path: Path) -> None:
    play = rehearsed(ANALYSIS, tmp_path / "same")

    async def act() -> None:
        assert (await gone(remote, play)).state is State.DONE
        shutil.rmtree(play.folder)
        again = rehearsed(ANALYSIS, play.folder)
        assert (await gone(remote, again)).state is State.DONE
        assert len(again.trail) == len(play.trail) > 3

    run(remote, act)


def test_of_two_starts_at_once_one_records_the_run(tmp_path: Path) -> None:
    play = rehearsed(ANALYSIS, tmp_path)
    engines = [Remotely("127.0.0.1:1", "q").engine(play) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda engine: engine.claim(play.run, play.spec), engines))
    assert sorted(made) == [False] * 7 + [True]


@pytest.mark.parametrize("others", [True, False])
def test_a_host_does_nothing_for_a_run_that_its_disk_does_not_know(
    remote: Remotely, others: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activities, "AGAIN", SOON)
    known, foreign = (rehearsed(ANALYSIS, tmp_path / name) for name in ("known", "foreign"))

    async def act() -> None:
        remote.engine(foreign)
        assert (await gone(remote, known)).state is State.DONE
        Path(foreign.run).mkdir(parents=True)
        if others:
            write_record(foreign.run, read_record(known.run))
        graphs = graphs_of([ANALYSIS])
        launch = Launch(spec=foreign.spec, graphs=graphs, queue=remote.queue, patience=PATIENCE, most_pages=9)
        client = await connected(remote.address, "default")
        name = id_of(remote.queue, foreign.run)
        handle = await client.start_workflow(Run.run, launch, id=name, task_queue=remote.queue)
        with pytest.raises(WorkflowFailureError) as error:
            await handle.result()
        assert "Stopped" in str(error.value.cause)

    run(remote, act)


@pytest.mark.long
def test_watching_an_agent_at_work_asks_the_server_a_few_times_a_minute(
    remote: Remotely, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    heard = Watched.heard

    async def counted(self: Watched, since: int) -> Heard | None:
        asked.append(since)
        return await heard(self, since)

    class Slow:
        async def work(self, attempt: Attempt) -> str:
            before = len(asked)
            await asyncio.sleep(3)
            during.append(len(asked) - before)
            return await agent.work(attempt)

    during: list[int] = []
    play = alone(rehearsed(ANALYSIS, tmp_path))
    agent = play.cast.agent
    play = evolve(play, cast=play.cast._replace(agent=Slow(), seconds=60.0))
    monkeypatch.setattr(Watched, "heard", counted)

    async def act() -> None:
        assert (await gone(remote, play)).state is State.DONE

    run(remote, act)
    assert during
    assert max(during) <= 3  # the changes that launched the agent; a check each 0.3 seconds would be 10


def test_slow_step_is_taken_over_and_not_repeated(
    remote: Remotely, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "QUICK", 0.0)
    play = rehearsed(ANALYSIS, tmp_path)
    ran: list[str] = []

    async def run_step(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
        await asyncio.sleep(0.05)  # after the worker that drives the run has given it up
        ran.append(str(command))
        return await play.cast.run_step(command, given, environment)

    slow = evolve(play, cast=play.cast._replace(run_step=run_step))

    async def act() -> None:
        assert (await gone(remote, slow)).state is State.DONE
        assert len(ran) == (await remote.stand(slow)).account.pages
        (history,) = await histories(remote, slow)
        types = [each.activity_task_scheduled_event_attributes.activity_type.name for each in history.events]
        assert types.count(STEP) == len(ran)

    run(remote, act)


class Broke:
    """An agent that is lost, so that the run stops."""

    async def work(self, attempt: Attempt) -> str:
        raise CrashError("no credit")


def test_a_run_of_the_planner_has_a_short_history(
    remote: Remotely, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "QUICK", 60.0)  # a busy machine has slow steps, which make more events
    monkeypatch.setattr(activities, "LOCAL", timedelta(seconds=60))
    play = rehearsed(KNOWN.workflows["skills.planner.orchestrator.planner"], tmp_path)

    async def act() -> None:
        await gone(remote, play)
        (history,) = await histories(remote, play)
        assert len(history.events) <= MOST_EVENTS
        assert sum(event.ByteSize() for event in history.events) <= MOST_BYTES

    run(remote, act)


def test_the_pages_of_the_server_say_what_each_activity_is(remote: Remotely, tmp_path: Path) -> None:
    play = rehearsed(ANALYSIS, tmp_path)
    shown: list[str] = []

    async def act() -> None:
        await gone(remote, play)
        (history,) = await histories(remote, play)
        summaries = [event.user_metadata.summary for event in history.events if event.user_metadata.HasField("summary")]
        shown.extend(json.loads(summary.data) for summary in summaries)

    run(remote, act)
    assert shown[0].startswith(play.workflow.name)
    assert "page 1: analyze 1" in shown
    assert any(re.fullmatch(r"orchestrator 1\.thinks, for problem-analysis 1/5 .+", each) for each in shown)
