"""The one workflow of all runs: the driver, with the graph that the run began with."""

import asyncio
from typing import Final

from temporalio import workflow
from temporalio.exceptions import ApplicationError
from temporalio.worker import UnsandboxedWorkflowRunner

from ...command import Command
from ..activities import RunError
from ..driver import Driver, Order
from ..journal import Entry, Event
from ..projection import Question
from .remote import LONGEST, Remote
from .wire import NAME, STOPPED, Heard, Launch

RUNNER: Final = UnsandboxedWorkflowRunner()
"""Temporal's sandbox imports modules a second time: what a function imports would be another class of the same name.
The driver has no clock, file or process anyway; that it goes the same way again is shown by replays."""


@workflow.defn(name=NAME)
class Run:
    """A run. It ends with what was said last, is cancelled, or fails with the launch that tries once more."""

    @workflow.init
    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._remote = Remote(launch)
        self._at = launch.at

    @workflow.run
    async def run(self, launch: Launch) -> str:
        """Drives it to its end, or to a page where the history has grown long: there it goes on in a new one."""
        say = self._remote.say
        if launch.at is None or launch.account.halt is not None:
            say(Entry(event=Event.BEGUN if launch.at is None else Event.RESUMED))
        try:
            said = await self._driven()
        except asyncio.CancelledError:
            say(Entry(event=Event.CANCELLED))
            raise
        except Exception as error:  # one of another class than ours would have the server try again, for ever
            ours = error if isinstance(error, RunError) else RunError(f"{type(error).__name__}: {error}")
            why, cause = str(ours), ours.cause
            say(Entry(event=Event.STOPPED, key=cause, text=why))
            raise ApplicationError(
                why[:LONGEST], self._remote.onward(self._at, cause), type=STOPPED, non_retryable=True
            ) from None
        if said is None:
            workflow.continue_as_new(self._remote.onward(self._at))
        say(Entry(event=Event.DONE, text=said))
        return said

    async def _driven(self) -> str | None:
        """What was said last at the end; None where the history is long enough."""
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
        """What has happened after so many events."""
        return self._remote.heard(since)

    @workflow.update
    def answer(self, answer: Question) -> None:
        """Takes the user's answers to what is asked under a key."""
        self._remote.take(answer)

    @answer.validator
    def fits(self, answer: Question) -> None:
        """Refuses answers to what is not asked."""
        self._remote.check(answer)
