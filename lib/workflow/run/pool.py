"""The participants of a run."""

from typing import NamedTuple

from .clients.agents import Agent
from .defaults import BACKOFF
from .driver.activities import RunStep
from .driver.pace import Pace, WallClock
from .local import User
from .workplace import Workplace


class Cast(NamedTuple):
    """The agent of a run, the way its steps are run, and the user of a rehearsal."""

    agent: Agent
    run_step: RunStep
    user: User | None = None
    backoff: float = BACKOFF
    seconds: float | None = None
    """Timeout of an attempt, if it replaces that of the specification."""
    waits: bool = True
    """False if a usage limit is a question for the user."""
    pace: Pace = WallClock()
    workplace: Workplace = Workplace()
