"""Engines behind one interface for the tests: runs of workflows in this process."""

import asyncio
import os
from collections.abc import Collection, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import Protocol

from attrs import evolve, field, frozen

from lib.workflow.app.runs.driving import sample_command
from lib.workflow.app.runs.rehearsing import Rehearsal, played, prepare
from lib.workflow.core import Workflow
from lib.workflow.run import answers as answering
from lib.workflow.run.clients.agents import Attempt, CrashError
from lib.workflow.run.engine import Ended, Engine, LocalEngine, Spec
from lib.workflow.run.faults import Fault
from lib.workflow.run.journal.journal import Entry, Event
from lib.workflow.run.journal.status import Standing, standing
from lib.workflow.run.pool import Cast
from lib.workflow.run.steps import in_this_process
from skills.planner.state.run_state import RunState
from tests.run.runs import KNOWN

SECONDS = 0.05
"""Seconds to wait for an agent that hangs."""


@frozen
class Play:
    """A run: its workflow, its folder, its agents."""

    workflow: Workflow
    folder: Path
    cast: Cast
    start: str
    agent: str
    """The agent that a remote worker gets."""
    events: list[Entry] = field(factory=list)
    most_pages: int = 200
    max_parallel: int = 8
    max_agents: int = 0
    max_minutes: int = 0
    max_tokens: int = 0
    driver: str = "driver"

    @property
    def run(self) -> str:
        return os.path.join(self.folder, self.driver)

    @property
    def spec(self) -> Spec:
        """Return its specification, unique by the folder."""
        return Spec(
            workflow=self.workflow.name,
            start=self.start,
            request=str(self.folder),
            agent=self.agent,
            max_parallel=self.max_parallel,
            max_agents=self.max_agents,
            max_minutes=self.max_minutes,
            max_tokens=self.max_tokens,
        )

    @property
    def trail(self) -> list[tuple[Event, str, str, int]]:
        """Return the events, independent of the order of parallel agents and of the driver."""
        changes = (each for each in self.events if each.event not in (Event.BEGUN, Event.RESUMED))
        return sorted((each.event, each.key, str(each.who), each.number) for each in changes)


def rehearsed(workflow: Workflow, folder: Path, seed: int = 0, faults: Collection[Fault] = ()) -> Play:
    """Return a rehearsal, whose user answers at once."""
    rehearsal = Rehearsal(seed=seed, faults=tuple(faults))
    agent, user = played(workflow, rehearsal)
    start = sample_command(workflow, "Limit each caller's requests", str(folder))
    prepare(start)
    cast = Cast(agent=agent, run_step=in_this_process, user=user, backoff=0, seconds=SECONDS)
    return Play(workflow, folder, cast, str(start), str(rehearsal))


def alone(play: Play) -> Play:
    """Return the same run without a user."""
    return evolve(play, cast=play.cast._replace(user=None))


class Stage(Protocol):
    """An engine, ready for use."""

    def engine(self, play: Play) -> Engine:
        """Return the engine that drives the run."""

    def serving(self) -> AbstractAsyncContextManager[None]:
        """Serve the run during the block."""

    async def stand(self, play: Play) -> Standing:
        """Return the status of the run."""

    async def answer(self, play: Play, answers: Sequence[str]) -> None:
        """Answer its questions."""


class Locally:
    """The local engine."""

    def engine(self, play: Play) -> Engine:
        return LocalEngine(KNOWN, play.cast, play.events.append)

    def serving(self) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    async def stand(self, play: Play) -> Standing:
        return standing(play.run)

    async def answer(self, play: Play, answers: Sequence[str]) -> None:
        key, said = answering.response((await self.stand(play)).account, answers)
        await asyncio.to_thread(answering.note, play.run, key, said)


def outcome(play: Play) -> tuple[object, ...]:
    """Return the results of a run of the planner that are the same for every driver."""
    state = RunState(str(play.folder))
    return state.plan, state.run.gates, state.run.rounds, state.run.answers, state.run.approval


async def gone(stage: Stage, play: Play) -> Ended:
    """Start the run, or resume it."""
    return await stage.engine(play).go(play.run, play.spec)


def failing(play: Play, times: int, reason: str, backoff: float = 0) -> Play:
    """Return the same run, whose agents are lost that many times in all; `backoff` as in a cast."""
    agent, left = play.cast.agent, [times]

    class Failing:
        async def work(self, attempt: Attempt) -> str:
            if left[0]:
                left[0] -= 1
                raise CrashError(reason)
            return await agent.work(attempt)

    return evolve(play, cast=play.cast._replace(agent=Failing(), backoff=backoff))
