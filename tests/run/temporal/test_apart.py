"""Runs whose agents work on hosts that share nothing with the run's host but the server and the payload store."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from attrs import evolve
from temporalio import workflow

from lib.workflow.app.runs.hosts.apart import host_cast
from lib.workflow.command import Command
from lib.workflow.command.quoting import join
from lib.workflow.run.engine import State
from lib.workflow.run.journal.journal import Event
from lib.workflow.run.rehearsal import RehearsalAgent
from lib.workflow.run.steps import process_in
from lib.workflow.run.temporal import worker
from lib.workflow.run.temporal.payloads.payloads import KEYS
from lib.workflow.run.temporal.payloads.stores import STORE
from lib.workflow.run.temporal.wire import FAMILY, NAME
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Thorough
from skills.planner.schema.depth import Depth
from tests.run.engines import Locally, Play, gone, outcome, rehearsed
from tests.run.runs import KNOWN
from tests.run.temporal.apart import Apart, Elsewhere, elsewhere, executor, exists, later_build, planner
from tests.run.temporal.buckets import BUCKET, Buckets
from tests.run.temporal.servers import BIN, LONGEST, Server, Worker
from tests.run.temporal.stages import DIGESTS
from tests.run.temporal.test_sealing import keys_in
from tests.run.worktrees.projects import BRANCH, begun, project, run_in, shown
from tests.run.worktrees.test_driven import SURVEY, Writer
from tests.security.repositories import git

STEPSCRIPT = os.path.join(BIN, "stepscript")
AGENT = "sh -c 'cat > /dev/null; echo \"$HOME$STEPSCRIPT_PAYLOAD_KEYS$AWS_SECRET_ACCESS_KEY\" >> folder.txt; echo Notes; echo WAY: 1'"
"""An agent that writes its host's home into a file, and the path of the key and the secret of the store if it has them."""
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


def survey(root: Path) -> Play:
    """Return a run in a worktree of a new project, whose explorers write into one file."""
    root.parent.mkdir(exist_ok=True)
    made = project(root.parent)
    made.rename(root)
    place = begun(root, each=True)
    play = rehearsed(SURVEY, Path(run_in(root)))
    writer = Writer(RehearsalAgent(Thorough(), run_here))
    return evolve(play, cast=play.cast._replace(agent=writer, run_step=process_in(place.folder), workplace=place))


@workflow.defn(name=f"{FAMILY}1000")
class Later:
    """The driver of a later version, which knows none of the runs here."""

    @workflow.run
    async def run(self) -> None:
        """Do nothing."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("skill", "depth", "is_shared", "is_long"),
    [
        ("planner", Depth.LIGHT, False, False),
        pytest.param("planner", Depth.LIGHT, False, True, marks=pytest.mark.soak),
        pytest.param("planner", Depth.FULL, False, True, marks=pytest.mark.soak),
        pytest.param("planner", Depth.FULL, True, True, marks=pytest.mark.soak),
        pytest.param("executor", Depth.LIGHT, False, True, marks=pytest.mark.soak),
    ],
)
def test_run_ends_alike_although_hosts_die_and_the_server_restarts_and_newer_workers_take_over(
    skill: str,
    depth: Depth,
    is_shared: bool,
    is_long: bool,
    lasting: Server,
    shared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here, there = (planner(tmp_path / name / "project", depth, not is_shared) for name in ("alone", "one"))
    apart = Apart(lasting, tmp_path.name)
    if skill == "executor":
        for play in (here, there):
            assert asyncio.run(gone(Locally(), play)).state is State.DONE
        here, there = executor(here), executor(there)
    hidden = None if is_shared else tmp_path / "one"
    there = there if is_shared else elsewhere(there)
    hosts = [Elsewhere(f"host-{number}", lasting, apart.pool, shared, hidden) for number in range(4)]
    hosts[3] = evolve(hosts[3], build=str(later_build(tmp_path / "later"))) if is_long else hosts[3]

    async def act() -> None:
        asked = asyncio.Event()

        def changed() -> Mapping[str, str]:
            asked.set()
            return {module: digest[::-1] for module, digest in DIGESTS.items()}

        async with AsyncExitStack() as entered, AsyncExitStack() as unfit:
            async with apart.serving(there):
                running = asyncio.ensure_future(apart.engine(there).go(there.run, there.spec))
                for host in hosts[not is_long : 2]:
                    async with host.serving(holds=True):
                        await exists(host.holds)
                    if is_long:
                        lasting.kill()
                        await asyncio.to_thread(lasting.begin)
                drained = await entered.enter_async_context(hosts[2].serving(holds=True))
                await exists(hosts[2].holds)
                drained.ask_to_end()
                taking_over = await entered.enter_async_context(hosts[3].serving())
                assert (NAME in taking_over.said.split()) is not is_long
                await unfit.enter_async_context(apart.serving(there, changed))
                with monkeypatch.context() as patched:
                    patched.setattr(worker, "Run", Later)
                    await unfit.enter_async_context(apart.serving(there))
            hosts[2].let_go()
            await asyncio.wait_for(asked.wait(), LONGEST)  # the worker with other graphs hands the step back
            await entered.enter_async_context(apart.serving(there))
            assert await drained.ended() == 0
            await unfit.aclose()
            assert (await running).state is State.DONE

    assert asyncio.run(gone(Locally(), here)).state is State.DONE
    asyncio.run(act())
    assert outcome(there) == outcome(here)
    assert there.trail == here.trail
    roots = [tmp_path / name / "project" for name in ("alone", "one")]
    logs = [git(root, "log", "--topo-order", "--format=%s%n%T", BRANCH) for root in roots]
    assert logs[0] == logs[1]
    assert git(roots[1], "worktree", "list").count("\n") == 2


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


@pytest.mark.long
@pytest.mark.parametrize("is_bucket", [False, True])
def test_run_from_the_command_line_brings_back_what_agents_elsewhere_changed(
    is_bucket: bool,
    server: Server,
    shared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    buckets: Buckets | None = request.getfixturevalue("buckets") if is_bucket else None
    if buckets is not None:
        buckets.use(monkeypatch)
        monkeypatch.setenv(STORE, f"s3://{BUCKET}/runs")
    (tmp_path / "one").mkdir()
    root = project(tmp_path / "one").rename(tmp_path / "one" / "project")
    (root / ".stepscript").mkdir()
    (root / "a.py").write_text("not committed\n")
    monkeypatch.chdir(root / "src")
    name, pool = tmp_path.name, f"{tmp_path.name}.pool"
    options = ("--engine", "temporal", "--pool", pool, "--no-shared-folder", "--address", server.address)
    words = ("run", "problem-analysis", "It hangs", "--agent", AGENT, "--host-queue", name, *options)
    host = Elsewhere("two", server, pool, shared, tmp_path / "one", ports=(buckets.port,) if buckets else ())
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
    files = [path.read_bytes() for path in (shared / "store").rglob("*") if path.is_file()]
    stored = list(buckets.stored().values()) if buckets else files
    assert len(stored) > 5
    assert not (buckets and files)
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
