"""Retries of a job within limits: each attempt learns what happened to the one before it."""

from collections.abc import Callable
from typing import Final, Protocol

from attrs import frozen

from ..util.characters import on_a_screen
from .activities import AgentError
from .breaker import Breaker
from .conditions.kinds import Condition, Course
from .job import Job, Reply, ReplyError, read_reply
from .pace import Pace, reset, slowed
from .results import CrashError

LONGEST_REASON: Final = 1_500
MOST_DELAYS: Final = 6
"""Maximum overloads of a client, and limits, in a row before the user is asked."""
CUT_OFF: Final = "the program that launched it ended first"
"""Reason for the failure of an attempt without a result."""
Left = Callable[[int], str | None]
"""Returns the output of an attempt that ended after its launcher; None if it did not end. Raises CrashError,
ReplyError.
"""


@frozen(kw_only=True)
class Limits:
    """The limits for attempts of an agent."""

    attempts: int
    seconds: float
    """Timeout of one attempt."""
    backoff: float
    """Seconds before the second attempt; doubled before each further one."""
    waits: bool = True
    """False if a usage limit is a question for the user."""


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


class Worker(Protocol):
    """An engine's way to make attempts and to record what happens to them."""

    async def work(self, number: int, reason: str) -> str:
        """Make an attempt and return the agent's reply.

        Args:
            number: The number of the attempt.
            reason: The failure of the one before it.

        Raises:
            CrashError, ReplyError, TimeoutError: If it fails.
        """

    def failed(self, number: int, reason: str) -> None:
        """Record that an attempt failed."""

    def paused(self, until: float, reason: str) -> None:
        """Record that the next attempt waits until a time, in seconds since the epoch."""


class Retrier:
    """Attempts at one job, until one has a valid reply."""

    def __init__(self, job: Job, limits: Limits, worker: Worker, pace: Pace, breaker: Breaker) -> None:
        """Make a retrier.

        Args:
            job: The job.
            limits: Number, duration and delay of attempts.
            worker: Makes the attempts.
            pace: The engine's clock.
            breaker: The state of the job's client, shared by all its agents.
        """
        self._job, self._limits, self._worker = job, limits, worker
        self._pace, self._breaker = pace, breaker
        self._number = self._failures = self._delays = 0
        self._reason = ""

    async def run(self, before: Tries = NO_TRIES, left: Left = lambda number: None) -> tuple[int, Reply]:
        """Return the reply, and the number of its attempt.

        Args:
            before: The attempts of an earlier process.
            left: Finds the output of an attempt without a result.

        Raises:
            AgentError: If no further attempt is made.
        """
        self._number, self._failures, self._reason = before.last, before.failed, before.reason
        if before.is_open:
            try:
                text = left(self._number)
                if text is not None:
                    return self._number, self._read(text)
            except (CrashError, ReplyError) as error:
                await self._fail(error)
        if self._failures >= self._limits.attempts:
            raise AgentError(self._reason)
        while True:
            await self._limit_ends()
            self._number += 1
            try:
                return self._number, self._read(await self._worker.work(self._number, self._reason))
            except (CrashError, ReplyError, TimeoutError) as error:
                await self._fail(error)

    def _read(self, text: str) -> Reply:
        """Parse an output. The client works, even if the reply is not valid."""
        self._breaker.failures = 0
        return read_reply(self._job, text)

    async def _fail(self, error: Exception) -> None:
        """Record a failure, and wait for the next attempt. Raises AgentError if there is none."""
        self._reason = reason_of(error, self._limits)
        self._worker.failed(self._number, self._reason)
        condition = error.condition if isinstance(error, CrashError) else None
        if condition is not None:
            self._breaker.failures += 1
        match Course.RETRY if condition is None else condition.course:
            case Course.ASK:
                raise AgentError(self._reason)
            case Course.WAIT:
                assert condition is not None
                await self._wait(condition)
            case Course.SLOW:
                self._delay()
                await self._pause(self._pace.now() + self._slowed(), self._reason)
            case Course.RETRY:
                await self._retry()

    async def _retry(self) -> None:
        self._failures += 1
        if self._breaker.is_open:
            raise AgentError(f"{self._reason}. The last {self._breaker.failures} attempts all failed")
        if self._failures >= self._limits.attempts:
            raise AgentError(self._reason)
        await self._pace.until(self._pace.now() + self._limits.backoff * 2 ** (self._failures - 1))

    async def _wait(self, condition: Condition) -> None:
        """Wait until a limit ends. A limit is not a failure of the client."""
        self._breaker.failures = 0
        if not self._limits.waits:
            raise AgentError(self._reason)
        self._delay()
        soonest = self._pace.now() + self._slowed()  # a clock that is wrong must not cause an attempt after another
        self._breaker.until = max(self._breaker.until, soonest, reset(condition.until, self._pace.random()))
        self._breaker.why = self._reason
        await self._limit_ends()

    def _delay(self) -> None:
        self._delays += 1
        if self._delays > MOST_DELAYS:
            raise AgentError(f"{self._reason}. It was tried {self._delays} times")

    def _slowed(self) -> float:
        return slowed(self._delays, self._limits.backoff, self._pace.random())

    async def _limit_ends(self) -> None:
        """Wait until the limit of the client ends, if one is known."""
        while self._breaker.until > self._pace.now():
            await self._pause(self._breaker.until, self._breaker.why)

    async def _pause(self, until: float, why: str) -> None:
        if until > self._pace.now():
            self._worker.paused(until, why)
            await self._pace.until(until)


def reason_of(error: Exception, limits: Limits) -> str:
    """Return the reason why an attempt failed, in one line."""
    said = f"it did not finish within {limits.seconds:g} seconds" if isinstance(error, TimeoutError) else str(error)
    text = on_a_screen(said)
    return text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]} …"
