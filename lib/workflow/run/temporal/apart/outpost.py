"""A host without the folders of runs: its workers launch agents for runs whose hosts send all that they need."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from attrs import evolve
from temporalio import activity
from temporalio.client import Client
from temporalio.exceptions import ApplicationError

from ....errors import RefusedError
from ....state.locks import locked
from ...clients.agents import Agent, Attempt, fenced, finished
from ...clients.job import ReplyError
from ...clients.prices import prices_of
from ...clients.results import CrashError
from ...journal.spec import Spec
from ...spending.usage import usage_of, used_by
from ..host.alive import AtWork, elsewhere, failure, worked
from ..host.host import Tell
from ..host.memory import Turns
from ..wire import ATTEMPT, AttemptCall, Said
from .cache import Cache, Place
from .door import opened
from .errand import Errands
from .shipping import Shipper
from .visit import Visit

Enlist = Callable[[Spec, str], Agent]
"""Function that returns the agents of a run, which also use a folder beside their worktree. Raises ValueError."""
LAST: Final = 10.0
"""Seconds for bringing back the work of an agent that has failed, or was ended."""
RESERVE: Final = 30.0
"""Seconds of an activity that are left for taking over the work, after an agent's time."""


class Outpost(AtWork):
    """The activity of such a host."""

    def __init__(self, client: Client, enlist: Enlist, cache: Cache, tell: Tell = lambda run, what: None) -> None:
        super().__init__()
        self._client, self._enlist, self._cache, self._tell = client, enlist, cache, tell

    @activity.defn(name=ATTEMPT)
    async def attempt(self, call: AttemptCall) -> Said:
        """Make one attempt at a job."""
        run = activity.info().workflow_id or ""
        try:
            place = self._cache.place(run, call.job.key)
            turns = Turns(place.agents, call.job.key)
            token = turns.token(activity.info().current_attempt_scheduled_time)
            with locked(place.lock, 1):
                cut_off = turns.admit(token)
                try:
                    async with self.alive(turns, token):
                        return await self._done(run, call, place, token, cut_off)
                finally:
                    turns.close(token)
        except CrashError as error:
            raise ApplicationError(str(error), type="Stale") from None
        except (OSError, ValueError) as error:
            raise elsewhere(f"this host cannot launch the agent: {error}") from None

    async def _done(self, run: str, call: AttemptCall, place: Place, token: str, cut_off: bool) -> Said:
        shipper, errands = Shipper(self._client, run), Errands(self._client, run)
        visit = Visit(errands, shipper, place, call.job, token, self._cache.program)
        turns, who = Turns(place.agents, call.job.key), f"{call.job.role} {call.job.key}, attempt {call.number}"
        attempt = Attempt(job=call.job, number=call.number, folder=place.agents, choice=call.choice)
        price = 0.0
        try:
            said = await visit.open()
            if said.reply is not None:
                return Said(text=said.reply)
            attempt = evolve(
                attempt,
                job=visit.spelling.job(call.job),
                seconds=min(call.patience.attempt / 1000, _left()),
                client=said.spec.clients(call.job.role)[call.choice],
                cwd=visit.folder,
            )
            price = prices_of(said.spec.prices).get(attempt.client, 0)
            agent = self._enlist(said.spec, place.folder)
            await visit.prepare(kept=cut_off and _is_finished(attempt))
            self._tell(run, who)
            try:
                async with opened(visit.command) as door:
                    more = {**fenced(turns.fence, token), **visit.environment(door)}
                    reason = visit.spelling.there(call.reason)
                    text = await worked(agent, evolve(attempt, environment=more), reason, cut_off)
            except (CrashError, ReplyError, TimeoutError, asyncio.CancelledError):
                with suppress(CrashError, ApplicationError, TimeoutError):
                    async with asyncio.timeout(LAST):
                        await visit.close(None)
                raise
            text = visit.spelling.here(text)
            await visit.close(text)
        except RefusedError as error:
            return failure(CrashError(f"it has no folder to work in: {error}"), call, attempt, price)
        except (CrashError, ReplyError, TimeoutError) as error:
            failed = failure(error, call, attempt, price)
            self._tell(run, f"{who} failed: {failed.failed}")
            return failed
        return Said(text=text, used=used_by(usage_of(attempt, price)))


def _left() -> float:
    """Return the seconds that an agent has before the server gives the attempt to another worker."""
    info = activity.info()
    most = info.start_to_close_timeout
    if most is None:
        return float("inf")
    return max((info.started_time + most - datetime.now(UTC)).total_seconds() - RESERVE, 1)


def _is_finished(attempt: Attempt) -> bool:
    """Return True if the agent of an attempt has ended by itself after its worker."""
    with suppress(CrashError, ReplyError):
        return finished(attempt) is not None
    return True
