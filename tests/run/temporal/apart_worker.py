"""A worker of a pool whose agents are simulated: `ADDRESS POOL [--folders] [HOLDS]`.

With `--folders` it sees the folders of runs. With HOLDS, an agent that a page has launched makes this file after each
command, and waits until there is one of the same name that ends with `.go`. On SIGTERM the worker takes no new work.
Explorers add a line to the file `found.txt` of their worktree.
"""

import asyncio
import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

from lib.workflow.app.runs.engines import known_workflows
from lib.workflow.app.runs.hosts.serving import digests
from lib.workflow.command import Command
from lib.workflow.command.command import LAUNCHER_VARIABLE
from lib.workflow.run.allowed_commands import Known
from lib.workflow.run.clients.agents import Attempt
from lib.workflow.run.journal.spec import Spec
from lib.workflow.run.pool import Cast
from lib.workflow.run.rehearsal import RehearsalAgent
from lib.workflow.run.steps import process_in
from lib.workflow.run.temporal.apart.cache import Cache
from lib.workflow.run.temporal.apart.outpost import Outpost
from lib.workflow.run.temporal.connection import connected
from lib.workflow.run.temporal.host.host import Host
from lib.workflow.run.temporal.host_record import Record
from lib.workflow.run.temporal.wire import NAME
from lib.workflow.run.temporal.worker import serve
from lib.workflow.state import consent
from lib.workflow.testing.process import Ran
from lib.workflow.testing.reader import Thorough
from lib.workflow.types import AgentRole
from skills.planner.schema.depth import Depth
from skills.planner.simulation.builder import Builder

FOLDERS = "--folders"
DRAIN = timedelta(seconds=60)


class Light(Builder):
    """Simulated agents, and a user who wants a light run."""

    depth = Depth.LIGHT


class Simulated:
    """A simulated agent that knows only its folders and its pages; each command is a process."""

    def __init__(self, is_planner: bool, folder: str, holds: str) -> None:
        self._is_planner, self._folder, self._holds = is_planner, folder, holds

    async def work(self, attempt: Attempt) -> str:
        """Do the job in a thread: the worker answers its commands meanwhile."""
        if attempt.job.role is AgentRole.EXPLORE:
            with open(os.path.join(str(attempt.cwd), "found.txt"), "a", encoding="utf-8") as file:
                file.write(f"{attempt.job.key}\n")
        return await asyncio.to_thread(lambda: asyncio.run(self._agent(attempt).work(attempt)))

    def _agent(self, attempt: Attempt) -> RehearsalAgent:
        if self._folder and os.path.exists(os.path.join(self._folder, "run.json")):
            consent.mark(self._folder, str(attempt.cwd))

        def run(command: Command, given: str = "") -> Ran:
            words = (*command.launcher, "-m", command.module, *command.words)
            environment = {**os.environ, **attempt.environment}
            done = subprocess.run(
                words, input=given, capture_output=True, text=True, check=False, env=environment, cwd=attempt.cwd
            )
            if self._holds and not attempt.job.page:
                Path(self._holds).touch()
                while not os.path.exists(f"{self._holds}.go"):
                    time.sleep(0.05)
            return Ran(done.returncode, done.stdout, done.stderr)

        return RehearsalAgent(Light(run) if self._is_planner else Thorough(), run)


async def main() -> None:
    """Serve until killed, or asked to end."""
    address, pool, *more = sys.argv[1:]
    client, until = await connected(address, "default"), asyncio.Event()
    holds = "".join(word for word in more if word != FOLDERS)

    def enlist(spec: Spec, folder: str) -> Simulated:
        return Simulated(spec.workflow in ("planner", "executor"), folder, holds)

    def cast(_: str, record: Record) -> Cast:
        return Cast(agent=enlist(record.spec, ""), run_step=process_in(record.root))

    host: Host | Outpost
    if FOLDERS in more:
        now = digests()
        host = Host(cast, Known(known_workflows()), lambda: now)
    else:
        cache = Cache(sys.executable)
        os.environ[LAUNCHER_VARIABLE] = cache.program
        host = Outpost(client, enlist, cache)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, until.set)
    print("serving", NAME, flush=True)
    await serve(client, "", host, until, drain=DRAIN, pool=pool)


if __name__ == "__main__":
    asyncio.run(main())
