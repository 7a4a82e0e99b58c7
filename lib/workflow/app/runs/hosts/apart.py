"""Runs whose agents work on hosts without their folders: the run's host, and a host of such agents."""

import os
import sys
from collections.abc import Mapping

from temporalio.client import Client

from ....command import Command
from ....command.command import LAUNCHER_VARIABLE
from ....errors import RefusedError
from ....run.clients.agents import Attempt, RoleAgents
from ....run.clients.presets import agents_of
from ....run.clients.results import CrashError
from ....run.driver.activities import Printed, RunStep
from ....run.journal.spec import Spec
from ....run.pool import Cast
from ....run.steps import process_in
from ....run.temporal.apart.cache import Cache
from ....run.temporal.apart.outpost import Outpost
from ....run.temporal.apart.spelling import LAUNCHER
from ....run.temporal.host.host import Tell
from ....run.workplace import Workplace
from ....state.run_dirs import ELSEWHERE
from ...skills.packages import packages
from ..engines import is_rehearsal
from ..workplaces import workplace


class Nobody:
    """The agents on the run's host."""

    async def work(self, attempt: Attempt) -> str:
        """Raise CrashError."""
        raise CrashError("agents of this run work on the hosts of its pool only")


def cast_apart(run: str, spec: Spec) -> Cast:
    """Return the cast of such a run in a folder, on its host. Raises RefusedError without its worktree."""
    place = workplace(run, spec)
    if place is None:
        raise RefusedError(
            "worktree", run, "the run was not started with a worktree, or its record is gone", "Start it again."
        )
    return host_cast(place, place.folder)


def host_cast(place: Workplace, folder: str) -> Cast:
    """Return a cast without agents, whose steps work in a folder and print pages for agents on other hosts."""
    run_step = process_in(folder)

    async def run(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
        return await run_step(command, given, {**environment, LAUNCHER_VARIABLE: LAUNCHER, ELSEWHERE: "1"})

    step: RunStep = run
    return Cast(agent=Nobody(), run_step=step, workplace=place)


def outpost(client: Client, tell: Tell) -> Outpost:
    """Return a host without the folders of runs. Its agents run our commands by a program that asks the run's host.

    Raises ValueError, OSError if its cache cannot be made.
    """
    cache = Cache(sys.executable)
    os.environ[LAUNCHER_VARIABLE] = cache.program

    def enlist(spec: Spec, also: str) -> RoleAgents:
        if is_rehearsal(spec):
            raise ValueError("simulated agents need the run's folder")
        return agents_of(spec.agent, spec.agents, spec.models, None, packages(), spec.passes, also)

    return Outpost(client, enlist, cache, tell)
