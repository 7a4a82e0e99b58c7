"""Who plays a run."""

from collections.abc import Callable
from typing import NamedTuple

from .agents import Agent
from .engine import Spec
from .local import RunStep, User


class Cast(NamedTuple):
    """Its agent, how its steps are run, and who answers where it is a rehearsal."""

    agent: Agent
    run_step: RunStep
    user: User | None = None
    backoff: float = 2.0
    seconds: float | None = None
    """Of an attempt, where that is not the specification's to say."""


Casting = Callable[[Spec, str], Cast]
"""The cast of a specification, in the folder of a project. Raises ValueError where there is none here."""
