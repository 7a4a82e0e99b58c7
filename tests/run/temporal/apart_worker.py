"""A worker without the folders of runs, whose agents are simulated: `ADDRESS POOL [STALLS]`.

With STALLS, the first agent that a page has launched makes this file after its first command, and does nothing more.
Explorers add a line to the file `found.txt` of their worktree.
"""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

from lib.workflow.command import Command
from lib.workflow.command.command import LAUNCHER_VARIABLE
from lib.workflow.run.clients.agents import Attempt
from lib.workflow.run.journal.spec import Spec
from lib.workflow.run.rehearsal import RehearsalAgent
from lib.workflow.run.temporal.apart.cache import Cache
from lib.workflow.run.temporal.apart.outpost import Outpost
from lib.workflow.run.temporal.connection import connected
from lib.workflow.run.temporal.worker import serve
from lib.workflow.state import consent
from lib.workflow.testing.process import Ran
from lib.workflow.testing.reader import Thorough
from lib.workflow.types import AgentRole
from skills.planner.schema.depth import Depth
from skills.planner.simulation.builder import Builder


class Light(Builder):
    """Simulated agents, and a user who wants a light run."""

    depth = Depth.LIGHT


class Simulated:
    """A simulated agent that knows only its folders and its pages; every command goes to the run's host."""

    def __init__(self, is_planner: bool, folder: str, stalls: str) -> None:
        self._is_planner, self._folder, self._stalls = is_planner, folder, stalls

    async def work(self, attempt: Attempt) -> str:
        """Do the job in a thread: the worker answers its commands meanwhile."""
        if attempt.job.role is AgentRole.EXPLORE:
            with open(os.path.join(str(attempt.cwd), "found.txt"), "a", encoding="utf-8") as file:
                file.write(f"{attempt.job.key}\n")
        return await asyncio.to_thread(lambda: asyncio.run(self._agent(attempt).work(attempt)))

    def _agent(self, attempt: Attempt) -> RehearsalAgent:
        if os.path.exists(os.path.join(self._folder, "run.json")):
            consent.mark(self._folder, str(attempt.cwd))

        def run(command: Command, given: str = "") -> Ran:
            words = (*command.launcher, "-m", command.module, *command.words)
            environment = {**os.environ, **attempt.environment}
            done = subprocess.run(
                words, input=given, capture_output=True, text=True, check=False, env=environment, cwd=attempt.cwd
            )
            if self._stalls and not attempt.job.page:
                Path(self._stalls).touch()
                time.sleep(600)
            return Ran(done.returncode, done.stdout, done.stderr)

        return RehearsalAgent(Light(run) if self._is_planner else Thorough(), run)


async def main() -> None:
    """Serve until killed."""
    address, pool, *stalls = sys.argv[1:]
    client, cache = await connected(address, "default"), Cache(sys.executable)
    os.environ[LAUNCHER_VARIABLE] = cache.program

    def enlist(spec: Spec, folder: str) -> Simulated:
        return Simulated(spec.workflow in ("planner", "executor"), folder, "".join(stalls))

    print("serving", flush=True)
    await serve(client, "", Outpost(client, enlist, cache), asyncio.Event(), pool=pool)


if __name__ == "__main__":
    asyncio.run(main())
