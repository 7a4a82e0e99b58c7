"""Attempts at a job, as many as the limits allow: each further one is told what became of the one before it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from attrs import frozen

from ..util.characters import on_a_screen
from .activities import AgentError
from .agents import CrashError
from .job import Job, Reply, ReplyError, read_reply

Work = Callable[[int, str], Awaitable[str]]
"""One attempt: its number, why the one before it failed; what the agent said. Raises CrashError, TimeoutError."""
Failed = Callable[[int, str], None]
"""Told of an attempt that has failed, and why."""
Left = Callable[[int], str | None]
"""What an attempt has said that ended after the process that launched it; None if it did not end. Raises CrashError,
ReplyError."""
LONGEST_REASON: Final = 600
CUT_OFF: Final = "the program that had launched it ended before it did"
"""Why an attempt came to nothing that nothing was heard of."""


@frozen(kw_only=True)
class Limits:
    """How an agent is waited for."""

    attempts: int
    seconds: float
    """Of one attempt."""
    backoff: float
    """Seconds before the second attempt; twice as many before each further one."""


@frozen(kw_only=True)
class Tries:
    """The attempts at a job that were made before, by a process that has ended."""

    last: int = 0
    """The number of the last one."""
    failed: int = 0
    is_open: bool = False
    """Whether nothing was heard of the last one."""
    why: str = ""
    """Why the last one failed."""

    @property
    def reason(self) -> str:
        """What the next attempt is told of them."""
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
        before: The attempts of an earlier process.
        left: Looks for the end of one of them, of which nothing was heard.

    Raises:
        AgentError: as many attempts have failed as the limits allow.
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
    """Why an attempt failed, in one line."""
    said = f"no end after {limits.seconds:g} seconds" if isinstance(error, TimeoutError) else str(error)
    return on_a_screen(said)[:LONGEST_REASON]
