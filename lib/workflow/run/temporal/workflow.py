"""The one workflow of all runs: the driver, with the graph at the run's start."""

import asyncio
from typing import Final

from temporalio import workflow
from temporalio.exceptions import ApplicationError
from temporalio.worker import UnsandboxedWorkflowRunner

from ...command import Command
from ..driver.activities import RunError
from ..driver.driver import Driver, Order
from ..journal.journal import Entry, Event
from ..journal.projection import Question
from .remote import LONGEST, Remote
from .wire import NAME, STOPPED, Heard, Launch

RUNNER: Final = UnsandboxedWorkflowRunner()
"""Temporal's sandbox would import modules a second time: later imports in functions would give other classes
of the same name. The driver uses no clock, file or process anyway; replays show that it is deterministic.
"""


@workflow.defn(name=NAME)
class Run:
    """A run. It ends with the last reply, is cancelled, or fails with the launch that retries it."""

    @workflow.init
    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._remote = Remote(launch)
        self._at = launch.at

    @workflow.run
    async def run(self, launch: Launch) -> str:
        """Drive the run to its end, or until its history is long: then it continues in a new one."""
        if launch.at is None or launch.account.halt is not None:
            self._remote.say(Entry(event=Event.BEGUN if launch.at is None else Event.RESUMED))
        try:
            said = await self._driven()
        except asyncio.CancelledError:
            await self._remote.end(Event.CANCELLED)
            raise
        except Exception as error:  # an error of another class would make the server retry for ever
            ours = error if isinstance(error, RunError) else RunError(f"{type(error).__name__}: {error}")
            why, cause = str(ours), ours.cause
            await self._remote.end(Event.STOPPED, why, cause)
            raise ApplicationError(
                why[:LONGEST], self._remote.onward(self._at, cause), type=STOPPED, non_retryable=True
            ) from None
        if said is None:
            workflow.continue_as_new(self._remote.onward(self._at))
        await self._remote.end(Event.DONE, said)
        return said

    async def _driven(self) -> str | None:
        """Return the last reply at the end; None if the history is long enough."""
        spec = self._launch.spec
        order = Order(start=Command.read(spec.start), request=spec.request, max_parallel=spec.max_parallel)
        driver = Driver(order, self._remote, self._remote.pinned, self._at)
        for _ in range(self._launch.most_pages):
            self._at = driver.cursor
            said = await driver.turn()
            if said is not None:
                return said
            if workflow.info().is_continue_as_new_suggested():
                break
        self._at = driver.cursor
        return None

    @workflow.query
    def heard(self, since: int) -> Heard:
        """Return the events after the first `since`."""
        return self._remote.heard(since)

    @workflow.update
    def answer(self, answer: Question) -> None:
        """Take the user's answers to the questions under a key."""
        self._remote.take(answer)

    @answer.validator
    def fits(self, answer: Question) -> None:
        """Refuse answers to questions that are not open."""
        self._remote.check(answer)
