"""What a run does to the world. The driver decides, an engine does these, once each, whatever is killed."""

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple, Protocol, TypeAlias

from ..ast.relay import NeedsUserInput, UserResponse
from ..command import Command
from .job import Job, Reply


class Printed(NamedTuple):
    """What came of a step's command."""

    status: int
    out: str
    errors: str


RunStep: TypeAlias = Callable[[Command, str, Mapping[str, str]], Awaitable[Printed]]
"""Runs a step's command: what stands on its standard input, and entries of its environment that fence it."""


class Activities(Protocol):
    """Each has a key, the same in every repetition of the run: an engine that did it before gives what came of it then.

    So a driver that is started again from its first command comes to where it was, doing nothing twice.
    """

    async def step(self, key: str, command: Command, given: str) -> Printed:
        """Runs a step; `given` stands on its standard input."""

    async def agent(self, job: Job) -> Reply:
        """Has an agent do a job, again where an attempt fails. Raises AgentError after the last."""

    async def ask(self, key: str, questions: NeedsUserInput) -> UserResponse:
        """The user's answers. Raises WaitingError where there are none yet."""


class RunError(Exception):
    """The run cannot go on; the message says where and why.

    `cause` is the key of the activity whose result is to blame: a run that is resumed has it done, or asked, again.
    """

    def __init__(self, message: str, cause: str = "") -> None:
        super().__init__(message)
        self.cause = cause


class AgentError(Exception):
    """All attempts at a job have failed; the message says why the last one did."""


class WaitingError(Exception):
    """The run cannot go on until the user has answered."""

    def __init__(self, key: str, questions: NeedsUserInput) -> None:
        super().__init__("the user is asked")
        self.key = key
        self.questions = questions
