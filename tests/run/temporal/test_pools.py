"""Pools: several hosts launch the agents of a run, each the roles that it serves."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path

from attrs import evolve

from lib.workflow.run.clients.agents import Agent, Attempt
from lib.workflow.run.engine import State
from lib.workflow.run.journal.spec import Spec
from lib.workflow.run.pool import Cast
from lib.workflow.run.temporal.connection import connected
from lib.workflow.run.temporal.host.host import Host
from lib.workflow.run.temporal.worker import serve
from lib.workflow.types import AgentRole
from tests.run.engines import gone, rehearsed
from tests.run.runs import KNOWN
from tests.run.temporal.stages import DIGESTS, Remotely

SURVEY = KNOWN.workflows["tests.workflows.survey.run"]
PLANNER = KNOWN.workflows["skills.planner.orchestrator.planner"]
LONGEST = 60.0
EVERY = tuple(AgentRole)


class Seen:
    """The agents that each host launched; agents of one role may wait until several hosts have launched one."""

    def __init__(self, awaited: AgentRole | None = None, hosts: int = 0) -> None:
        self.roles = defaultdict[str, list[AgentRole]](list)
        self._awaited, self._hosts, self._spread = awaited, hosts, asyncio.Event()

    async def take(self, host: str, role: AgentRole) -> None:
        """Note an agent."""
        self.roles[host].append(role)
        if sum(self._awaited in roles for roles in self.roles.values()) >= self._hosts:
            self._spread.set()
        if role is self._awaited:
            async with asyncio.timeout(LONGEST):
                await self._spread.wait()


class Noted:
    """An agent of one host."""

    def __init__(self, inner: Agent, host: str, seen: Seen) -> None:
        self._inner, self._host, self._seen = inner, host, seen

    async def work(self, attempt: Attempt) -> str:
        await self._seen.take(self._host, attempt.job.role)
        return await self._inner.work(attempt)


@asynccontextmanager
async def served(remote: Remotely, seen: Seen, pool: dict[str, Collection[AgentRole]]) -> AsyncIterator[None]:
    """Run a worker for the run's host, and one for each host of the pool with the roles that it serves."""
    until = asyncio.Event()
    clients = [await connected(remote.address, "default") for _ in ("own", *pool)]  # as those of separate processes

    def host(name: str) -> Host:
        def cast(spec: Spec) -> Cast:
            play = next(each for each in remote.plays.values() if each.spec == spec)
            return play.cast._replace(agent=Noted(play.cast.agent, name, seen), seconds=LONGEST)

        return Host(lambda _, record: cast(record.spec), KNOWN, lambda: DIGESTS)

    async with asyncio.TaskGroup() as working:
        working.create_task(serve(clients.pop(), remote.queue, host("own"), until))
        for client, (name, roles) in zip(clients, pool.items(), strict=True):
            most = {AgentRole.EXPLORE: 1}
            working.create_task(serve(client, "", host(name), until, most, pool=remote.pool, roles=roles))
        try:
            yield
        finally:
            until.set()


def test_agents_of_a_page_spread_over_the_hosts_that_have_room(remote: Remotely, tmp_path: Path) -> None:
    play = evolve(rehearsed(SURVEY, tmp_path), max_parallel=2)
    remote.pool = f"{remote.queue}-pool"

    async def act() -> None:
        seen = Seen(AgentRole.EXPLORE, 2)
        async with served(remote, seen, {"one": EVERY, "two": EVERY}):
            assert (await gone(remote, play)).state is State.DONE
        assert set(seen.roles) == {"one", "two"}

    asyncio.run(act())


def test_hosts_launch_only_the_roles_that_they_serve(remote: Remotely, tmp_path: Path) -> None:
    play = rehearsed(PLANNER, tmp_path)
    remote.pool = f"{remote.queue}-pool"
    reviewers = (AgentRole.QUALITY_REVIEWER,)
    others = [role for role in AgentRole if role not in reviewers]

    async def act() -> None:
        seen = Seen()
        async with served(remote, seen, {"reviews": reviewers, "works": others}):
            assert (await gone(remote, play)).state is State.DONE
        assert set(seen.roles["reviews"]) == set(reviewers)
        assert {AgentRole.ARCHITECT, AgentRole.DEVELOPER} <= set(seen.roles["works"])
        assert not seen.roles["own"]

    asyncio.run(act())
