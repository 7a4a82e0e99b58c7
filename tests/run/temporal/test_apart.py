"""Runs whose agents work on hosts that share nothing with the run's host but the server and the payload store."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from attrs import evolve, frozen

from lib.workflow.app.runs.apart import host_cast
from lib.workflow.command import Command
from lib.workflow.run.engine import State
from lib.workflow.run.pool import Cast
from lib.workflow.run.rehearsal import RehearsalAgent, RehearsedUser
from lib.workflow.run.steps import process_in
from lib.workflow.run.temporal import engine as temporal
from lib.workflow.run.temporal.connection import connected
from lib.workflow.run.temporal.host import Host
from lib.workflow.run.temporal.payloads import KEYS
from lib.workflow.run.temporal.sealing import STORE
from lib.workflow.run.temporal.worker import serve
from lib.workflow.run.worktrees.of_agents import WaveWorkplace
from lib.workflow.testing.inprocess import run_here
from skills.planner.modules import PLANNER
from skills.planner.simulation.project import begin
from tests.run.engines import Locally, Play, gone, outcome
from tests.run.runs import KNOWN
from tests.run.temporal.apart_worker import Light
from tests.run.temporal.hosts import ROOT, relay, words_on_a_host
from tests.run.temporal.servers import LONGEST, Server
from tests.run.temporal.stages import DIGESTS, WORKFLOWS
from tests.run.temporal.test_sealing import keys_in
from tests.run.worktrees.projects import begun, run_in
from tests.security.repositories import git

SOON = 1_000
"""Milliseconds without a heartbeat, after which another worker gets the work."""
TASK = "Limit the requests of each caller"
LOCAL_AGENT = RehearsalAgent(Light(run_here), run_here)


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that all hosts see, with the key and the payload store."""
    folder = tmp_path / "shared"
    (folder / "store").mkdir(parents=True)
    monkeypatch.setenv(KEYS, keys_in(folder, os.urandom(32)))
    monkeypatch.setenv(STORE, str(folder / "store"))
    return folder


@frozen
class Elsewhere:
    """A host whose worker is a process: it does not see the folders of the run's host."""

    name: str
    server: Server
    pool: str
    shared: Path
    hidden: Path
    """Folder of the run's host."""

    @property
    def home(self) -> Path:
        return self.shared.parent / self.name

    @asynccontextmanager
    async def serving(self, *more: str) -> AsyncIterator[None]:
        """Run the worker during the block."""
        self.home.mkdir()
        port, socket = int(self.server.address.rpartition(":")[2]), str(self.shared / f"{self.name}.s")
        passing_on = await asyncio.to_thread(relay, port, socket)
        words = (sys.executable, "-m", "tests.run.temporal.apart_worker", self.server.address, self.pool, *more)
        homes = ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
        process = subprocess.Popen(
            words_on_a_host(words, port, socket, (str(self.hidden),)),
            cwd=ROOT,
            env={**os.environ, **dict.fromkeys(homes, str(self.home))},
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            assert process.stdout is not None
            assert await asyncio.to_thread(process.stdout.readline) == b"serving\n"
            yield
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            passing_on.kill()
            passing_on.wait()
            process.communicate()


def planning(root: Path) -> tuple[Play, WaveWorkplace]:
    """Return a planner's run in a worktree of a new project, with agents that work here."""
    begin(str(root))
    (root / ".stepscript").mkdir()
    place = begun(root, each=True)
    assert isinstance(place, WaveWorkplace)
    start = Command(PLANNER, ("--step", "1", "--task", TASK, "--state-dir", run_in(root)))
    cast = Cast(agent=LOCAL_AGENT, run_step=process_in(place.folder), user=RehearsedUser(Light(run_here)), backoff=0)
    play = Play(KNOWN.workflows[PLANNER], Path(run_in(root)), cast._replace(workplace=place), str(start), "rehearsal")
    return play, place


async def exists(path: Path) -> None:
    """Wait for a file."""
    deadline = time.monotonic() + LONGEST
    while not path.exists():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


def test_planner_ends_alike_although_the_worker_of_an_agent_is_killed(
    server: Server, shared: Path, tmp_path: Path
) -> None:
    here, _ = planning(tmp_path / "alone" / "project")
    assert asyncio.run(gone(Locally(), here)).state is State.DONE
    (tmp_path / "one").mkdir()
    there, place = planning(tmp_path / "one" / "project")
    there = evolve(there, cast=host_cast(place, place.folder)._replace(user=there.cast.user, backoff=0))
    pool, queue = f"pool-{tmp_path.name}", f"one-{tmp_path.name}"
    first, second = (Elsewhere(name, server, pool, shared, tmp_path / "one") for name in ("two", "three"))
    stalled = shared / "stalled"

    async def act() -> None:
        until, client = asyncio.Event(), await connected(server.address, "default")
        host = Host(lambda _, record: there.cast, KNOWN, lambda: DIGESTS)
        options = temporal.Server(
            address=server.address,
            namespace="default",
            queue=queue,
            pool=pool,
            apart=True,
            root=place.folder,
            heartbeat=SOON,
        )
        engine = temporal.TemporalEngine(options, WORKFLOWS, there.cast, there.events.append)
        async with asyncio.TaskGroup() as group:
            group.create_task(serve(client, queue, host, until, packages=("skills",)))
            try:
                async with first.serving(str(stalled)):
                    running = group.create_task(engine.go(there.run, there.spec))
                    await exists(stalled)
                async with second.serving():
                    assert (await running).state is State.DONE
            finally:
                until.set()

    asyncio.run(act())
    assert outcome(there) == outcome(here)
    assert there.trail == here.trail
    assert git(tmp_path / "one" / "project", "worktree", "list").count("\n") == 2
