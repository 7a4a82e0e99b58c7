"""Retries of a job within limits: each attempt learns what happened to the one before it."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from attrs import frozen

from ...util.characters import on_a_screen
from ..clients.job import Job, Reply, ReplyError, read_reply
from ..clients.results import CrashError
from ..conditions.kinds import Condition, Course
from .activities import AgentError, Place
from .breaker import Breaker
from .pace import Pace, reset, slowed

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

    async def work(self, number: int, reason: str, choice: int) -> str:
        """Make an attempt and return the agent's reply.

        Args:
            number: The number of the attempt.
            reason: The failure of the one before it.
            choice: The number of the client in the choices of the job's role, from 0.

        Raises:
            CrashError, ReplyError, TimeoutError: If it fails.
        """

    def failed(self, number: int, reason: str) -> None:
        """Record that an attempt failed."""

    def paused(self, until: float, reason: str) -> None:
        """Record that the next attempt waits until a time, in seconds since the epoch."""


class Retrier:
    """Attempts at one job, until one has a valid reply."""

    def __init__(
        self,
        job: Job,
        limits: Limits,
        worker: Worker,
        pace: Pace,
        breakers: Sequence[Breaker],
        place: Place | None = None,
    ) -> None:
        """Make a retrier.

        Args:
            job: The job.
            limits: Number, duration and delay of attempts.
            worker: Makes the attempts.
            pace: The engine's clock.
            breakers: The states of the clients for the job's role, the preferred one first. All agents share them.
            place: The place of the agent, which it leaves while it waits for its client.
        """
        self._job, self._limits, self._worker = job, limits, worker
        self._pace, self._breakers, self._place = pace, breakers, place or Place()
        self._number = self._failures = self._delays = self._choice = 0
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
        if not self._usable():  # the user has asked for another attempt
            for breaker in self._breakers:
                breaker.is_down = False
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
            await self._choose()
            self._number += 1
            try:
                text = await self._worker.work(self._number, self._reason, self._choice)
                return self._number, self._read(text)
            except (CrashError, ReplyError, TimeoutError) as error:
                await self._fail(error)

    @property
    def _breaker(self) -> Breaker:
        return self._breakers[self._choice]

    def _usable(self) -> list[int]:
        """Return the numbers of the clients that can be tried."""
        return [number for number, breaker in enumerate(self._breakers) if not breaker.is_down]

    async def _choose(self) -> None:
        """Choose the first client that is free, or wait until one is."""
        while True:
            usable = self._usable() or [self._choice]
            free = [number for number in usable if self._breakers[number].until <= self._pace.now()]
            if free:
                self._choice = free[0]
                return
            if not self._limits.waits:
                raise AgentError(self._reason or self._breakers[usable[0]].why)
            soonest = min((self._breakers[number] for number in usable), key=lambda breaker: breaker.until)
            await self._pause(soonest.until, soonest.why)

    def _read(self, text: str) -> Reply:
        """Parse an output. The client works, even if the reply is not valid."""
        self._breaker.failures = 0
        return read_reply(self._job, text)

    async def _fail(self, error: Exception) -> None:
        """Record a failure, and wait for the next attempt. Raises AgentError if no attempt is left."""
        self._reason = reason_of(error, self._limits)
        self._worker.failed(self._number, self._reason)
        condition = error.condition if isinstance(error, CrashError) else None
        if condition is not None:
            self._breaker.failures += 1
        match Course.RETRY if condition is None else condition.course:
            case Course.ASK:
                self._give_up_client()
            case Course.WAIT:
                assert condition is not None
                self._wait(condition)
            case Course.SLOW:
                assert condition is not None
                self._delay()
                await self._slow(condition)
            case Course.RETRY:
                await self._retry()

    def _give_up_client(self) -> None:
        """Go on with the next client. Raises AgentError if no client is left."""
        self._breaker.is_down = len(self._breakers) > 1
        if not self._breaker.is_down or not self._usable():
            raise AgentError(self._reason)

    async def _retry(self) -> None:
        self._failures += 1
        if self._breaker.is_open:
            self._reason = f"{self._reason}. The last {self._breaker.failures} attempts all failed"
            self._give_up_client()
        if self._failures >= self._limits.attempts:
            raise AgentError(self._reason)
        await self._pace.until(self._pace.now() + self._limits.backoff * 2 ** (self._failures - 1))

    def _wait(self, condition: Condition) -> None:
        """Make all agents with the client wait until its limit ends. A limit is not a failure of the client."""
        self._delay()
        soonest = self._pace.now() + self._slowed()  # a clock that is wrong must not cause an attempt after another
        breaker = self._breaker
        breaker.failures, breaker.why = 0, condition.sentence
        breaker.until = max(breaker.until, soonest, reset(condition.until, self._pace.random()))
        if not self._limits.waits:
            self._give_up_client()

    async def _slow(self, condition: Condition) -> None:
        """Wait after an overload, or go on with a client that is free."""
        moment = self._pace.now() + self._slowed()
        if len(self._usable()) > 1:
            self._breaker.until, self._breaker.why = moment, condition.sentence
        else:
            await self._pause(moment, condition.sentence)

    def _delay(self) -> None:
        self._delays += 1
        if self._delays > MOST_DELAYS:
            raise AgentError(f"{self._reason}. It was tried {self._delays} times")

    def _slowed(self) -> float:
        return slowed(self._delays, self._limits.backoff, self._pace.random())

    async def _pause(self, until: float, why: str) -> None:
        if until > self._pace.now():
            self._worker.paused(until, why)
            self._place.leave()
            await self._pace.until(until)
            await self._place.take()


def reason_of(error: Exception, limits: Limits) -> str:
    """Return the reason why an attempt failed, in one line."""
    said = f"it did not finish within {limits.seconds:g} seconds" if isinstance(error, TimeoutError) else str(error)
    text = on_a_screen(said)
    return text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]} …"
