"""Runs whose agents work on hosts that share nothing with the run's host but the server and the payload store."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from attrs import evolve, frozen

from lib.workflow.app.runs.apart import host_cast
from lib.workflow.command import Command
from lib.workflow.command.quoting import join
from lib.workflow.run.engine import State
from lib.workflow.run.journal.journal import Event
from lib.workflow.run.pool import Cast
from lib.workflow.run.rehearsal import RehearsalAgent, RehearsedUser
from lib.workflow.run.steps import process_in
from lib.workflow.run.temporal import engine as temporal
from lib.workflow.run.temporal.apart.commands import Allowed
from lib.workflow.run.temporal.connection import connected
from lib.workflow.run.temporal.host import Host
from lib.workflow.run.temporal.payloads import KEYS
from lib.workflow.run.temporal.sealing import STORE
from lib.workflow.run.temporal.worker import serve
from lib.workflow.run.worktrees.of_agents import WaveWorkplace
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Thorough
from skills.planner.modules import EXECUTOR, PLANNER
from skills.planner.simulation.project import begin
from tests.run.engines import Locally, Play, gone, outcome, rehearsed
from tests.run.runs import KNOWN
from tests.run.temporal.apart_worker import Light
from tests.run.temporal.hosts import ROOT, relay, words_on_a_host
from tests.run.temporal.servers import BIN, LONGEST, Server, Worker
from tests.run.temporal.stages import DIGESTS, WORKFLOWS
from tests.run.temporal.test_sealing import keys_in
from tests.run.worktrees.projects import BRANCH, begun, project, run_in, shown
from tests.run.worktrees.test_driven import SURVEY, Writer
from tests.security.repositories import git

STEPSCRIPT = os.path.join(BIN, "stepscript")
SOON = 1_000
"""Milliseconds without a heartbeat, after which another worker gets the work."""
TASK = "Limit the requests of each caller"
AGENT = "sh -c 'cat > /dev/null; echo \"$HOME$STEPSCRIPT_PAYLOAD_KEYS\" >> folder.txt; echo Notes; echo WAY: 1'"
"""An agent that writes its host's home into a file, and the path of the server's key if it gets that."""
SLOW = """\
import os, pathlib, sys, time
sys.stdin.read()
folder = pathlib.Path("FOLDER")
if not (folder / "begun").exists():
    with open("new.txt", "a") as file:
        print("begun", file=file, flush=True)
        (folder / "begun").touch()
        while not (folder / "go").exists():
            time.sleep(0.05)
        print("ended", file=file)
    (folder / "ended").touch()
print("Notes")
print("WAY: 1")
"""
"""An agent that needs its first time, and ends after its worker."""
LOCAL_AGENT = RehearsalAgent(Light(run_here), run_here)


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that all hosts see, with the key and the payload store."""
    folder = tmp_path / "shared"
    (folder / "store").mkdir(parents=True)
    monkeypatch.setenv(KEYS, keys_in(folder, os.urandom(32)))
    monkeypatch.setenv(STORE, str(folder / "store"))
    return folder


@pytest.fixture
def lasting(tmp_path: Path) -> Iterator[Server]:
    """Start a server that keeps its state in a file."""
    server = Server(tmp_path / "server.db")
    yield server
    server.kill()


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
    async def serving(self, *more: str, words: tuple[str, ...] = ()) -> AsyncIterator[None]:
        """Run the worker during the block: one with simulated agents, or these words."""
        self.home.mkdir()
        port, socket = int(self.server.address.rpartition(":")[2]), str(self.shared / f"{self.name}.s")
        passing_on = await asyncio.to_thread(relay, port, socket)
        simulated = (sys.executable, "-m", "tests.run.temporal.apart_worker", self.server.address, self.pool, *more)
        homes = ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
        process = subprocess.Popen(
            words_on_a_host(words or simulated, port, socket, (str(self.hidden),)),
            cwd=ROOT,
            env={**os.environ, **dict.fromkeys(homes, str(self.home))},
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            assert process.stdout is not None
            assert (await asyncio.to_thread(process.stdout.readline)).startswith(b"serving")
            yield
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            passing_on.kill()
            passing_on.wait()
            process.communicate()


def planner(root: Path) -> Play:
    """Return a planner's run in a worktree of a new project, with agents that work here."""
    begin(str(root))
    (root / ".stepscript").mkdir()
    place = begun(root, each=True)
    start = Command(PLANNER, ("--step", "1", "--task", TASK, "--depth", "light", "--state-dir", run_in(root)))
    cast = Cast(agent=LOCAL_AGENT, run_step=process_in(place.folder), user=RehearsedUser(Light(run_here)), backoff=0)
    return Play(KNOWN.workflows[PLANNER], Path(run_in(root)), cast._replace(workplace=place), str(start), "rehearsal")


def survey(root: Path) -> Play:
    """Return a run in a worktree of a new project, whose explorers write into one file."""
    root.parent.mkdir(exist_ok=True)
    made = project(root.parent)
    made.rename(root)
    place = begun(root, each=True)
    play = rehearsed(SURVEY, Path(run_in(root)))
    writer = Writer(RehearsalAgent(Thorough(), run_here))
    return evolve(play, cast=play.cast._replace(agent=writer, run_step=process_in(place.folder), workplace=place))


def elsewhere(play: Play) -> Play:
    """Return the same run, with agents on other hosts."""
    place, cast = play.cast.workplace, play.cast
    assert isinstance(place, WaveWorkplace)
    return evolve(play, cast=host_cast(place, place.folder)._replace(user=cast.user, backoff=0, seconds=None))


@frozen
class Apart:
    """The engine for runs whose agents work on the hosts of a pool."""

    server: Server
    name: str

    @property
    def pool(self) -> str:
        return f"{self.name}.pool"

    def engine(self, play: Play) -> temporal.TemporalEngine:
        """Return the engine of a run."""
        options = temporal.Server(
            address=self.server.address,
            namespace="default",
            queue=self.name,
            pool=self.pool,
            apart=True,
            root="/",
            heartbeat=SOON,
        )
        return temporal.TemporalEngine(options, WORKFLOWS, play.cast, play.events.append)

    @asynccontextmanager
    async def serving(self, play: Play) -> AsyncIterator[None]:
        """Run a worker for the run's host during the block."""
        until, client = asyncio.Event(), await connected(self.server.address, "default")
        host = Host(lambda _, record: play.cast, KNOWN, lambda: DIGESTS)
        allowed = Allowed(("skills", "tests.workflows"), KNOWN.graphs)
        working = asyncio.ensure_future(serve(client, self.name, host, until, allowed=allowed))
        try:
            yield
        finally:
            until.set()
            await working


async def exists(path: Path) -> None:
    """Wait for a file."""
    deadline = time.monotonic() + LONGEST
    while not path.exists():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


def test_planner_ends_alike_although_the_worker_of_an_agent_is_killed(
    server: Server, shared: Path, tmp_path: Path
) -> None:
    here, there = planner(tmp_path / "alone" / "project"), elsewhere(planner(tmp_path / "one" / "project"))
    apart, stalled = Apart(server, tmp_path.name), shared / "stalled"
    first, second = (Elsewhere(name, server, apart.pool, shared, tmp_path / "one") for name in ("two", "three"))

    async def act() -> None:
        async with apart.serving(there):
            async with first.serving(str(stalled)):
                running = asyncio.ensure_future(apart.engine(there).go(there.run, there.spec))
                await exists(stalled)
            async with second.serving():
                assert (await running).state is State.DONE

    assert asyncio.run(gone(Locally(), here)).state is State.DONE
    asyncio.run(act())
    assert outcome(there) == outcome(here)
    assert there.trail == here.trail
    assert git(tmp_path / "one" / "project", "worktree", "list").count("\n") == 2


def executor(play: Play) -> Play:
    """Return the run that carries out the plan of another one."""
    start = Command(EXECUTOR, ("--step", "1", "--state-dir", str(play.folder)))
    return evolve(play, workflow=KNOWN.workflows[EXECUTOR], start=str(start), driver="driver-2", events=[])


@pytest.mark.soak
def test_executor_ends_alike_although_the_workers_of_two_agents_and_the_server_are_killed(
    lasting: Server, shared: Path, tmp_path: Path
) -> None:
    roots = [tmp_path / name / "project" for name in ("alone", "one")]
    plans = [planner(roots[0]), elsewhere(planner(roots[1]))]
    here, there = map(executor, plans)
    apart, stalls = Apart(lasting, tmp_path.name), [str(shared / f"stalled-{number}") for number in range(2)]
    hosts = [Elsewhere(f"host-{number}", lasting, apart.pool, shared, tmp_path / "one") for number in range(4)]

    async def act() -> None:
        async with apart.serving(there):
            async with hosts[0].serving():
                assert (await apart.engine(plans[1]).go(plans[1].run, plans[1].spec)).state is State.DONE
            running = asyncio.ensure_future(apart.engine(there).go(there.run, there.spec))
            for host, stalled in zip(hosts[1:], stalls, strict=False):
                async with host.serving(stalled):
                    await exists(Path(stalled))
                lasting.kill()
                await asyncio.to_thread(lasting.begin)
            async with hosts[3].serving():
                assert (await running).state is State.DONE

    for play in (plans[0], here):
        assert asyncio.run(gone(Locally(), play)).state is State.DONE
    asyncio.run(act())
    assert outcome(there) == outcome(here)
    assert there.trail == here.trail
    logs = [git(root, "log", "--format=%s%n%T", BRANCH) for root in roots]
    assert logs[0] == logs[1]


def test_changes_on_two_hosts_come_together_and_a_conflict_is_another_attempt(
    server: Server, shared: Path, tmp_path: Path
) -> None:
    here, there = survey(tmp_path / "alone" / "project"), elsewhere(survey(tmp_path / "one" / "project"))
    apart = Apart(server, tmp_path.name)
    first, second = (Elsewhere(name, server, apart.pool, shared, tmp_path / "one") for name in ("two", "three"))

    async def act() -> None:
        async with apart.serving(there), first.serving(), second.serving():
            assert (await apart.engine(there).go(there.run, there.spec)).state is State.DONE

    assert asyncio.run(gone(Locally(), here)).state is State.DONE
    asyncio.run(act())
    lines = [sorted(shown(tmp_path / name / "project", "found.txt").splitlines()) for name in ("alone", "one")]
    assert lines[0] == lines[1]
    assert len(set(lines[0])) > 1
    failures = [each for each in there.events if each.event is Event.FAILED]
    assert all("found.txt" in each.text for each in failures)


def test_run_from_the_command_line_brings_back_what_agents_elsewhere_changed(
    server: Server, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one").mkdir()
    root = project(tmp_path / "one").rename(tmp_path / "one" / "project")
    (root / ".stepscript").mkdir()
    (root / "a.py").write_text("not committed\n")
    monkeypatch.chdir(root / "src")
    name, pool = tmp_path.name, f"{tmp_path.name}.pool"
    options = ("--engine", "temporal", "--pool", pool, "--no-shared-folder", "--address", server.address)
    words = ("run", "problem-analysis", "It hangs", "--agent", AGENT, "--host-queue", name, *options)
    host = Elsewhere("two", server, pool, shared, tmp_path / "one")
    worker = Worker(server, name, root)

    async def act() -> "subprocess.CompletedProcess[str]":
        serves = (STEPSCRIPT, "worker", "--address", server.address, "--pool", pool, "--no-shared-folder")
        async with host.serving(words=serves):
            return await asyncio.to_thread(lambda: started(*words, "--carry-changes"))

    assert started(*words).returncode == 1  # the change is not committed
    try:
        done = asyncio.run(act())
    finally:
        assert worker.end(signal.SIGTERM) == 0
    assert done.returncode == 0, done
    (branch,) = git(root, "for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/stepscript").split()
    assert f"git merge {branch}" in done.stdout
    assert shown(root, "a.py", branch) == "not committed\n"
    assert shown(root, "src/folder.txt", branch).splitlines() == [str(host.home)] * 5
    assert git(root, "status", "--porcelain", "--untracked-files=no").split() == ["M", "a.py"]
    stored = [path.read_bytes() for path in (shared / "store").rglob("*") if path.is_file()]
    assert len(stored) > 5
    assert not any(b"PACK" in data or b"It hangs" in data for data in stored)


def started(*words: str) -> "subprocess.CompletedProcess[str]":
    """Run a command as a process."""
    return subprocess.run((STEPSCRIPT, *words), check=False, capture_output=True, text=True)


@asynccontextmanager
async def working(server: Server, cwd: Path, *words: str) -> AsyncIterator[Worker]:
    """Run a worker that a user starts, during the block."""
    worker = await asyncio.to_thread(Worker, server, "", cwd, *words)
    try:
        yield worker
    finally:
        if worker.process.poll() is None:
            worker.end()


def slow(root: Path, shared: Path) -> Play:
    """Return a run on other hosts whose first agent needs its time."""
    root.parent.mkdir()
    place = begun(project(root.parent).rename(root), each=True)
    agent = shared / "agent.py"
    agent.write_text(SLOW.replace("FOLDER", str(shared)))
    start = Command("skills.problem_analysis.analyze", ("--step", "1"))
    words = join((sys.executable, str(agent)))
    return Play(KNOWN.workflows[start.module], Path(run_in(root)), host_cast(place, place.folder), str(start), words)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_work_of_an_agent_whose_worker_was_ended_goes_on(
    how: signal.Signals, server: Server, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "one" / "project"
    play, apart = slow(root, shared), Apart(server, tmp_path.name)
    words = ("--pool", apart.pool, "--no-shared-folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "two"))

    async def act() -> None:
        async with apart.serving(play):
            async with working(server, tmp_path, *words) as first:
                running = asyncio.ensure_future(apart.engine(play).go(play.run, play.spec))
                await exists(shared / "begun")
                await asyncio.to_thread(first.end, how)
            if how is signal.SIGKILL:  # its agent goes on, and the next worker of its host takes the reply
                (shared / "go").touch()
                await exists(shared / "ended")
            else:
                monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "three"))
            async with working(server, tmp_path, *words):
                assert (await running).state is State.DONE

    asyncio.run(act())
    lines = ["begun", "ended"] if how is signal.SIGKILL else ["begun"]
    assert shown(root, "new.txt").splitlines() == lines
