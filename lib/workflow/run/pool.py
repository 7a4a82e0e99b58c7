"""Who plays a run."""

from typing import NamedTuple

from .activities import RunStep
from .agents import Agent
from .defaults import BACKOFF
from .local import User


class Cast(NamedTuple):
    """Its agent, how its steps are run, and who answers where it is a rehearsal."""

    agent: Agent
    run_step: RunStep
    user: User | None = None
    backoff: float = BACKOFF
    seconds: float | None = None
    """Of an attempt, where that is not the specification's to say."""
