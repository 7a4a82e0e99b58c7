"""What travels between a run, its host and whoever looks at it."""

from typing import Annotated, Final

from attrs import frozen

from ...arguments.parameter import Arg
from ...command import Command
from ..driver import Cursor
from ..engine import Spec
from ..graphs import Graphs
from ..job import Job
from ..journal import Entry
from ..projection import Question, RunProjection
from ..retries import Limits

NAME: Final = "stepscript.run.1"
"""Of the workflow. A change of the driver that makes a run of before go another way is another number: such a run
waits for a worker that knows its own."""
STEP, ATTEMPT, USER = "stepscript.step", "stepscript.attempt", "stepscript.user"
STOPPED: Final = "Stopped"
"""The type of the error that ends a run which cannot go on."""
NOTHING: Final = RunProjection()


@frozen(kw_only=True)
class Patience:
    """How long is waited; all in milliseconds."""

    attempts: int
    attempt: int
    """For an agent."""
    backoff: int
    heartbeat: int
    """For a sign of life of whoever does a thing, before it is done by another."""

    @property
    def limits(self) -> Limits:
        """The same for agents, in seconds."""
        return Limits(attempts=self.attempts, seconds=self.attempt / 1000, backoff=self.backoff / 1000)


@frozen(kw_only=True)
class Lost:
    """A job whose agent is lost, and why."""

    key: str
    why: str


@frozen(kw_only=True)
class Launch:
    """What a run is told: all that it depends on."""

    spec: Spec
    graphs: Graphs
    queue: str
    """Of the run's host."""
    patience: Patience
    played: bool = False
    """Whether the host has somebody who answers: a rehearsal has."""
    most_pages: int
    """Of one history; the run goes on in a new one. The server may ask for that earlier."""
    at: Cursor | None = None
    account: RunProjection = NOTHING
    heard: int = 0
    """How many events there have been."""
    latest: tuple[Entry, ...] = ()
    """The last of them, for whoever watches."""
    lost: tuple[Lost, ...] = ()
    """The jobs of the page at the cursor whose agents are lost: none is launched again before the user has said so."""
    answers: tuple[Question, ...] = ()
    """What the user has answered on that page, by key; not what the run stopped at."""


@frozen(kw_only=True)
class StepCall:
    """A step to run; its script must have this digest."""

    key: str
    command: Command
    given: str
    digest: str


@frozen(kw_only=True)
class StepSaid:
    """What came of it."""

    status: Annotated[int, Arg(min=-(1 << 31), max=1 << 32)]
    out: str
    errors: str


@frozen(kw_only=True)
class AttemptCall:
    """One attempt at a job; `reason` is why the one before it failed."""

    job: Job
    number: int
    reason: str
    patience: Patience
    digest: str
    """Of the script of the job's command; empty where the command is one that was run already."""


@frozen(kw_only=True)
class Said:
    """What came of it: a reply, or why it failed."""

    text: str
    failed: str = ""


@frozen(kw_only=True)
class Heard:
    """The latest events, and how many there have been in all; the run's account."""

    entries: tuple[Entry, ...]
    count: int
    account: RunProjection


CLASSES: Final = {cls.__name__: cls for cls in (Launch, StepCall, StepSaid, AttemptCall, Said, Heard, Question)}
"""The classes that payloads hold."""
