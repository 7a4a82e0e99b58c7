"""An activity at work: its signs of life, its end by a newer attempt or by the worker, and what its agent replied."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

from attrs import evolve
from temporalio import activity
from temporalio.exceptions import ApplicationError

from ....util.characters import storable
from ....util.terminal import plain
from ...clients.agents import Agent, Attempt, finished, unfinished
from ...driver import prompts
from ...driver.retries import CUT_OFF, reason_of
from ...spending.usage import usage_of, used_by
from ..wire import ELSEWHERE, STOPPED, AttemptCall, Said
from .memory import NEWER, Turns

SIGNS: Final = 4
"""Heartbeats within the heartbeat timeout."""


class AtWork:
    """The agents and steps at work in a worker."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()

    def end(self) -> None:
        """End them; the server gives their work to the next worker."""
        for task in self._tasks:
            task.cancel()

    @asynccontextmanager
    async def alive(self, turns: Turns, token: str) -> AsyncIterator[None]:
        """Send heartbeats meanwhile, and end the work once a newer attempt has started.

        On worker shutdown, raise a retryable error instead of a cancellation.
        """
        task = asyncio.current_task()
        assert task is not None
        within = activity.info().heartbeat_timeout or timedelta(seconds=10)
        beats = asyncio.ensure_future(_beat(within, turns, token, task))
        self._tasks.add(task)
        try:
            yield
        except asyncio.CancelledError:
            if beats.done():
                raise ApplicationError(NEWER, type="Stale") from None
            details = activity.cancellation_details()
            if activity.is_worker_shutdown() and not (details and details.cancel_requested):
                raise ApplicationError("the worker is shutting down", type="Shutdown") from None
            raise
        finally:
            self._tasks.discard(task)
            beats.cancel()


async def _beat(within: timedelta, turns: Turns, token: str, task: "asyncio.Task[object]") -> None:
    """Send heartbeats; cancel the task and return once a newer attempt has started, even on another host."""
    while True:
        await asyncio.sleep(within.total_seconds() / SIGNS)
        if not turns.is_current(token):
            task.cancel()
            return
        if not activity.info().is_local:
            activity.heartbeat()


async def worked(agent: Agent, attempt: Attempt, reason: str, cut_off: bool) -> str:
    """Return the reply of an agent whose worker has ended, or of a new agent, which learns of that.

    Args:
        agent: Does the work.
        attempt: The attempt.
        reason: The failure of the attempt before it.
        cut_off: True if the worker of an earlier start of this attempt has ended.

    Raises:
        CrashError, ReplyError, TimeoutError: If the attempt failed.
    """
    try:
        text = finished(attempt) if cut_off else None
        if text is None:
            job = prompts.told_why(attempt.job, reason or (CUT_OFF if cut_off else ""))
            async with asyncio.timeout(attempt.seconds):
                text = await agent.work(evolve(attempt, job=job))
        return storable(plain(text))
    except TimeoutError:
        if not os.path.exists(attempt.files.given):  # no program, but a simulated agent
            raise
        raise unfinished(attempt) from None


def failure(error: Exception, call: AttemptCall, attempt: Attempt, price: float) -> Said:
    """Return the result of an attempt that has failed.

    Args:
        error: The error that `worked` has raised.
        call: The call of the attempt.
        attempt: The attempt.
        price: US dollars for a million tokens of its client, if that reports no price.
    """
    return Said(
        text="",
        failed=reason_of(error, call.patience.limits),
        condition=getattr(error, "condition", None),
        used=used_by(usage_of(attempt, price)),
    )


def elsewhere(why: str) -> ApplicationError:
    """Return the error of a worker that cannot do the work, although another one may, or the same one later."""
    return ApplicationError(why, type=ELSEWHERE)


def stop(why: str) -> ApplicationError:
    """Return the error that ends a run."""
    return ApplicationError(why, type=STOPPED, non_retryable=True)
