"""Hosts beside that of a run, whose workers are processes, and runs whose agents work there."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from lib.workflow.app.runs.hosts.apart import host_cast
from lib.workflow.command import Command
from lib.workflow.run.pool import Cast
from lib.workflow.run.rehearsal import RehearsalAgent, RehearsedUser
from lib.workflow.run.steps import process_in
from lib.workflow.run.temporal import engine as temporal
from lib.workflow.run.temporal.apart.commands import Allowed
from lib.workflow.run.temporal.connection import connected
from lib.workflow.run.temporal.host.host import Digests, Host
from lib.workflow.run.temporal.worker import serve
from lib.workflow.run.worktrees.of_agents import WaveWorkplace
from lib.workflow.testing.inprocess import run_here
from skills.planner.modules import EXECUTOR, PLANNER
from skills.planner.schema.depth import Depth
from skills.planner.simulation.project import begin
from tests.run.engines import Play
from tests.run.runs import KNOWN
from tests.run.temporal.apart_worker import Light
from tests.run.temporal.hosts import ROOT, relay, words_on_a_host
from tests.run.temporal.servers import LONGEST, Server
from tests.run.temporal.stages import DIGESTS
from tests.run.worktrees.projects import begun, run_in

SOON = 1_000
"""Milliseconds without a heartbeat, after which another worker gets the work."""
TASK = "Limit the requests of each caller"
LOCAL_AGENT = RehearsalAgent(Light(run_here), run_here)
MESSAGES: Final = ("lib/workflow/run/temporal/wire.py", "lib/workflow/run/temporal/apart/wire.py")
CLASS: Final = re.compile(r'(@frozen\(kw_only=True\)\nclass \w+:\n    """.*?"""\n)', re.DOTALL)


def later_build(folder: Path) -> Path:
    """Return a folder with a later version: its driver has another number, and its messages have one more field."""
    for name in ("lib", "skills", "tests/run/temporal"):
        shutil.copytree(Path(ROOT, name), folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in MESSAGES:
        path = folder / name
        text = path.read_text().replace('f"{FAMILY}', 'f"{FAMILY}9')
        path.write_text(CLASS.sub(r'\1    later: str = "later"\n', text))
    return folder


@frozen
class Elsewhere:
    """A host beside that of the run, whose worker is a process."""

    name: str
    server: Server
    pool: str
    shared: Path
    hidden: Path | None
    """Folder of the run's host that it does not see; None if it sees all, and has the same home."""
    build: str = ROOT
    """Folder of the version that it runs."""
    ports: tuple[int, ...] = ()
    """Ports of other services that it can reach."""

    @property
    def home(self) -> Path:
        return self.shared.parent / self.name

    @property
    def holds(self) -> Path:
        """Return the file that its first agents make when they wait."""
        return self.shared / f"{self.name}.holds"

    def let_go(self) -> None:
        """Have its agents go on."""
        Path(f"{self.holds}.go").touch()

    @asynccontextmanager
    async def serving(self, holds: bool = False, words: tuple[str, ...] = ()) -> "AsyncIterator[Serving]":
        """Run the worker during the block: one with simulated agents, which may wait, or these words."""
        self.home.mkdir()
        ports = (int(self.server.address.rpartition(":")[2]), *self.ports)
        sockets = {port: str(self.shared / f"{self.name}.{number}") for number, port in enumerate(ports)}
        passing_on = await asyncio.to_thread(relay, sockets)
        how = ("--folders",) if self.hidden is None else ()
        simulated = (sys.executable, "-m", "tests.run.temporal.apart_worker", self.server.address, self.pool, *how)
        homes = ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME") if self.hidden else ()
        process = subprocess.Popen(
            words_on_a_host(
                words or (*simulated, *((str(self.holds),) if holds else ())),
                sockets,
                (str(self.hidden),) if self.hidden else (),
            ),
            cwd=self.build,
            env={**os.environ, **dict.fromkeys(homes, str(self.home))},
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            assert process.stdout is not None
            said = (await asyncio.to_thread(process.stdout.readline)).decode()
            assert said.startswith("serving")
            yield Serving(process, said)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            passing_on.kill()
            passing_on.wait()
            process.communicate()


@frozen
class Serving:
    """A worker that serves."""

    process: "subprocess.Popen[bytes]"
    said: str
    """Its first line, with the number of its driver."""

    def ask_to_end(self) -> None:
        """Have the worker take no new work, and end once its agents have finished."""
        os.killpg(self.process.pid, signal.SIGTERM)

    async def ended(self) -> int:
        """Return its exit status."""
        return await asyncio.to_thread(self.process.wait, LONGEST)


def planner(root: Path, depth: Depth = Depth.LIGHT, each: bool = True) -> Play:
    """Return a planner's run in a worktree of a new project, with agents that work here.

    Args:
        root: The project.
        depth: The depth of the run.
        each: If true, each agent has a worktree of its own.
    """
    begin(str(root))
    (root / ".stepscript").mkdir()
    place = begun(root, each=each)
    start = Command(PLANNER, ("--step", "1", "--task", TASK, "--depth", depth, "--state-dir", run_in(root)))
    cast = Cast(agent=LOCAL_AGENT, run_step=process_in(place.folder), user=RehearsedUser(Light(run_here)), backoff=0)
    return Play(KNOWN.workflows[PLANNER], Path(run_in(root)), cast._replace(workplace=place), str(start), "rehearsal")


def executor(play: Play) -> Play:
    """Return the run that carries out the plan of another one."""
    start = Command(EXECUTOR, ("--step", "1", "--state-dir", str(play.folder)))
    return evolve(play, workflow=KNOWN.workflows[EXECUTOR], start=str(start), driver="driver-2", events=[])


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
        """Return the engine of a run; its agents see its folders unless they have worktrees of their own."""
        place = play.cast.workplace
        options = temporal.Server(
            address=self.server.address,
            namespace="default",
            queue=self.name,
            pool=self.pool,
            apart=not place.is_shared,
            root=getattr(place, "folder", "/") if place.is_shared else "/",
            heartbeat=SOON,
        )
        return temporal.TemporalEngine(options, KNOWN, play.cast, play.events.append)

    @asynccontextmanager
    async def serving(self, play: Play, digests: Digests = lambda: DIGESTS) -> AsyncIterator[None]:
        """Run a worker for the run's host during the block; then it drains."""
        until, client = asyncio.Event(), await connected(self.server.address, "default")
        host = Host(lambda _, record: play.cast, KNOWN, digests)
        allowed = Allowed(("skills", "tests.workflows"), KNOWN.graphs)
        drain = timedelta(seconds=LONGEST)
        working = asyncio.ensure_future(serve(client, self.name, host, until, drain=drain, allowed=allowed))
        await asyncio.sleep(0)  # it serves from now on
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
