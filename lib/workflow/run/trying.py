"""A job is tried, as often as the limits allow, and each further attempt is told why the one before it failed."""

import asyncio
from collections.abc import Awaitable, Callable

from attrs import frozen

from ..characters import on_a_screen
from .activities import AgentError
from .agents import CrashError
from .job import Job, Reply, ReplyError, read_reply

Work = Callable[[int, str], Awaitable[str]]
"""One attempt: its number, why the one before it failed; what the agent said. Raises CrashError, TimeoutError."""
Failed = Callable[[int, str], None]
"""Told of an attempt that has failed, and why."""
LONGEST_REASON = 600


@frozen(kw_only=True)
class Limits:
    """How an agent is waited for."""

    attempts: int
    seconds: float
    """Of one attempt."""
    backoff: float
    """Seconds before the second attempt; twice as many before each further one."""


async def tried(job: Job, limits: Limits, work: Work, failed: Failed) -> tuple[int, Reply]:
    """The reply, and which attempt it is of. Raises AgentError after the last."""
    reason = ""
    for number in range(1, limits.attempts + 1):
        if number > 1:
            await asyncio.sleep(limits.backoff * 2 ** (number - 2))
        try:
            return number, read_reply(job, await work(number, reason))
        except (CrashError, ReplyError, TimeoutError) as error:
            reason = reason_of(error, limits)
            failed(number, reason)
    raise AgentError(reason)


def reason_of(error: Exception, limits: Limits) -> str:
    """Why an attempt failed, in one line."""
    said = f"no end after {limits.seconds:g} seconds" if isinstance(error, TimeoutError) else str(error)
    return on_a_screen(said)[:LONGEST_REASON]
