"""Retries of a job within limits: each attempt learns what happened to the one before it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from attrs import frozen

from ..util.characters import on_a_screen
from .activities import AgentError
from .agents import CrashError
from .job import Job, Reply, ReplyError, read_reply

Work = Callable[[int, str], Awaitable[str]]
"""One attempt: takes its number and the last failure; returns the agent's reply. Raises CrashError, TimeoutError."""
Failed = Callable[[int, str], None]
"""Receiver of the number of a failed attempt and the reason."""
Left = Callable[[int], str | None]
"""Returns the output of an attempt that ended after its launcher; None if it did not end. Raises CrashError,
ReplyError.
"""
LONGEST_REASON: Final = 600
CUT_OFF: Final = "the program that launched it ended first"
"""Reason for the failure of an attempt without a result."""


@frozen(kw_only=True)
class Limits:
    """The limits for attempts of an agent."""

    attempts: int
    seconds: float
    """Timeout of one attempt."""
    backoff: float
    """Seconds before the second attempt; doubled before each further one."""


@frozen(kw_only=True)
class Tries:
    """Attempts at a job by an earlier process."""

    last: int = 0
    """Number of the last one."""
    failed: int = 0
    is_open: bool = False
    """True if the last one has no result."""
    why: str = ""
    """Reason why the last one failed."""

    @property
    def reason(self) -> str:
        """Return the failure that the next attempt is informed of."""
        return CUT_OFF if self.is_open else self.why


NO_TRIES: Final = Tries()


async def tried(
    job: Job,
    limits: Limits,
    work: Work,
    failed: Failed,
    before: Tries = NO_TRIES,
    left: Left = lambda number: None,
) -> tuple[int, Reply]:
    """Return the reply, and the number of its attempt.

    Args:
        job: The job.
        limits: Number, duration and delay of attempts.
        work: Makes one attempt.
        failed: Receives each failure.
        before: The attempts of an earlier process.
        left: Finds the output of an attempt without a result.

    Raises:
        AgentError: If as many attempts failed as the limits allow.
    """
    number, failures, reason = before.last, before.failed, before.reason
    if before.is_open:
        try:
            text = left(number)
            if text is not None:
                return number, read_reply(job, text)
        except (CrashError, ReplyError) as error:
            reason = reason_of(error, limits)
            failures += 1
            failed(number, reason)
    while failures < limits.attempts:
        number += 1
        if failures:
            await asyncio.sleep(limits.backoff * 2 ** (failures - 1))
        try:
            return number, read_reply(job, await work(number, reason))
        except (CrashError, ReplyError, TimeoutError) as error:
            reason = reason_of(error, limits)
            failures += 1
            failed(number, reason)
    raise AgentError(reason)


def reason_of(error: Exception, limits: Limits) -> str:
    """Return the reason why an attempt failed, in one line."""
    said = f"it did not finish within {limits.seconds:g} seconds" if isinstance(error, TimeoutError) else str(error)
    return on_a_screen(said)[:LONGEST_REASON]
