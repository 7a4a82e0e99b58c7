"""The side effects of a run.

The driver decides; an engine executes each activity once, even if processes are killed.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple, Protocol, TypeAlias

from ...ast.relay import NeedsUserInput, UserResponse
from ...command import Command
from ..clients.job import Job, Reply


class Printed(NamedTuple):
    """The result of a step's command."""

    status: int
    out: str
    errors: str


RunStep: TypeAlias = Callable[[Command, str, Mapping[str, str]], Awaitable[Printed]]
"""Function that runs a step's command, given its standard input and the environment entries that fence it."""


class Place:
    """The place of one agent among those that may be at work at a time. An agent that waits for its client has none."""

    def __init__(self, free: asyncio.Semaphore | None = None) -> None:
        """Make a place that is not taken; without a semaphore it is always free."""
        self._free, self._is_taken = free, False

    async def take(self) -> None:
        """Wait until a place is free, and take it."""
        if self._free is not None and not self._is_taken:
            await self._free.acquire()
            self._is_taken = True

    def leave(self) -> None:
        """Leave the place to another agent."""
        if self._free is not None and self._is_taken:
            self._free.release()
            self._is_taken = False


class Activities(Protocol):
    """The activities of a run. Each has a key, the same in every repetition of the run.

    If an engine already executed the key, it returns the recorded result. So a driver that starts again from the first
    command arrives at the same point without repeating anything.
    """

    async def step(self, key: str, command: Command, given: str) -> Printed:
        """Run a step with `given` on its standard input."""

    async def agent(self, job: Job, place: Place) -> Reply:
        """Have an agent do a job, with retries. Raises AgentError after the last attempt.

        The caller takes the place before, and leaves it afterwards.
        """

    async def ask(self, key: str, questions: NeedsUserInput) -> UserResponse:
        """Return the user's answers. Raises WaitingError if there are none yet."""


class RunError(Exception):
    """Raised if the run cannot go on; the message says where and why.

    `cause` is the key of the activity with the faulty result: a resumed run executes it again.
    """

    def __init__(self, message: str, cause: str = "") -> None:
        super().__init__(message)
        self.cause = cause


class AgentError(Exception):
    """Raised if all attempts at a job failed; the message gives the last reason."""


class WaitingError(Exception):
    """Raised if the run must wait for the user's answer."""

    def __init__(self, key: str, questions: NeedsUserInput) -> None:
        super().__init__("the user is asked")
        self.key = key
        self.questions = questions
