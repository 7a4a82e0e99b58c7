"""Messages between a run, its host and its watchers."""

from collections.abc import Mapping
from typing import Annotated, Final

from attrs import frozen

from ...arguments.parameter import Arg
from ...command import Command
from ..clients.job import Job
from ..conditions.kinds import Condition
from ..driver.driver import Cursor
from ..driver.retries import Limits
from ..engine import Spec
from ..graphs import Graphs
from ..journal.journal import Entry
from ..journal.projection import Question, RunProjection
from ..spending.usage import NOT_USED, Used
from .apart.wire import CLASSES as APART

FAMILY: Final = "stepscript.run."
NAME: Final = f"{FAMILY}3"
"""Name of the workflow. If a change of the driver makes an earlier run take another path, change the number:
that run then waits for a worker that knows its own.
"""
STEP, ATTEMPT, USER, END = "stepscript.step", "stepscript.attempt", "stepscript.user", "stepscript.end"
ELSEWHERE: Final = "Elsewhere"
"""Type of the error of a worker that cannot do the work, although another one may, or the same one later."""
STOPPED: Final = "Stopped"
"""Type of the error that ends a run which cannot go on."""
NOTHING: Final = RunProjection()


@frozen(kw_only=True)
class Patience:
    """Times to wait, all in milliseconds."""

    attempts: int
    attempt: int
    """Timeout of an agent's attempt."""
    backoff: int
    heartbeat: int
    """Time without a sign of life after which another worker takes over."""
    waits: bool = True
    """False if a usage limit is a question for the user."""

    @property
    def limits(self) -> Limits:
        """Return the limits of attempts, in seconds."""
        return Limits(
            attempts=self.attempts, seconds=self.attempt / 1000, backoff=self.backoff / 1000, waits=self.waits
        )


@frozen(kw_only=True)
class Lost:
    """A job whose agent is lost, and the reason."""

    key: str
    why: str


@frozen(kw_only=True)
class Launch:
    """All data that a run depends on."""

    spec: Spec
    graphs: Graphs
    queue: str
    """Queue of the run's host."""
    pool: str = ""
    """Pool of hosts that launch its agents; empty for the run's own host."""
    patience: Patience
    played: bool = False
    """True if the host simulates the user, as in a rehearsal."""
    most_pages: int
    """Maximum pages of one history; the run goes on in a new one. The server may ask for that earlier."""
    at: Cursor | None = None
    account: RunProjection = NOTHING
    heard: int = 0
    """Number of events so far."""
    latest: tuple[Entry, ...] = ()
    """The latest events, for watchers."""
    lost: tuple[Lost, ...] = ()
    """Jobs of the page at the cursor whose agents are lost: none is launched again before the user agrees."""
    answers: tuple[Question, ...] = ()
    """The user's answers on that page, by key, except the one at which the run stopped."""
    used: Used = NOT_USED
    """Use by all attempts so far; counted only with a ceiling for it."""


@frozen(kw_only=True)
class StepCall:
    """A step to run; its script must have this digest."""

    key: str
    command: Command
    given: str
    digest: str


@frozen(kw_only=True)
class StepSaid:
    """The result of a step."""

    status: Annotated[int, Arg(min=-(1 << 31), max=1 << 32)]
    out: str
    errors: str


@frozen(kw_only=True)
class AttemptCall:
    """One attempt at a job; `reason` is the failure of the one before it."""

    job: Job
    number: int
    reason: str
    patience: Patience
    digest: str
    """Digest of the script of the job's command; empty if the command already ran."""
    choice: int = 0
    """Number of the client in the choices of the job's role."""


@frozen(kw_only=True)
class Said:
    """The result of an attempt: a reply, or the reason of the failure."""

    text: str
    failed: str = ""
    condition: Condition | None = None
    """The condition of the client that the failure shows."""
    used: Used = NOT_USED
    """Use by the attempt."""


@frozen(kw_only=True)
class Heard:
    """The latest events, the number of all events, and the run's projection."""

    entries: tuple[Entry, ...]
    count: int
    account: RunProjection


@frozen(kw_only=True)
class Ending:
    """The end of a run: its projection, its latest events, and the full text of the last reply or of the failure."""

    heard: Heard
    text: str


_OWN: Final = (Launch, StepCall, StepSaid, AttemptCall, Said, Heard, Question, Ending)
CLASSES: Final[Mapping[str, type]] = {cls.__name__: cls for cls in (*_OWN, *APART)}
"""Classes that payloads hold."""
