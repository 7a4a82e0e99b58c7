"""A rehearsal: the agent that plays a run, told by one word, so that a run that was killed is played on by the same.

What is played is the skill's to say, in a module `rehearsal` beside its scripts: `mind(run, seed, fails)` who plays;
`prepare(start)` what there must be before the first command, which may be there; `sequel(run, start)` the first command
of what a user begins when the run has come to its end, or None; `PROJECT` the folder in the state directory that is the
user's project in a rehearsal. It needs none of them.
"""

from typing import Final

from attrs import frozen

from ..arguments.parameter import MAX_DIGITS
from ..command import Command
from ..core import Workflow
from ..run.defaults import REHEARSAL
from ..run.faults import Fault
from ..run.rehearsal import RehearsalAgent, RehearsedUser
from ..testing.inprocess import run_here
from ..testing.process import Ran
from ..testing.reader import Mind, Simple
from ..testing.stage import beside

PROCESSES: Final = "processes"
MAX_PACE: Final = 10
"""Seconds."""
SECONDS: Final = 0.05
"""For which an agent that hangs is waited for. One that does not works in one go, and cannot be late."""


@frozen(kw_only=True)
class Rehearsal:
    """What a rehearsal depends on."""

    seed: int = 0
    faults: tuple[Fault, ...] = ()
    pace: float = 0.0
    """Seconds that each agent takes, for whoever watches."""
    processes: bool = False
    """Whether steps are processes."""

    @property
    def seconds(self) -> float | None:
        """The time limit of an attempt; None where none hangs."""
        return SECONDS + self.pace if Fault.HANG in self.faults else None

    def __str__(self) -> str:
        steps = PROCESSES if self.processes else "here"
        return " ".join((REHEARSAL, str(self.seed), f"{self.pace:g}", steps, *self.faults))

    @classmethod
    def read(cls, text: str) -> "Rehearsal":
        """The rehearsal that a text is. Raises ValueError."""
        words = text.split(" ")
        if len(words) < 4 or words[0] != REHEARSAL or not (words[1].isdigit() and len(words[1]) <= MAX_DIGITS):
            raise ValueError(f"{text!r:.60} is no rehearsal")
        _, seed, pace, steps, *faults = words
        seconds = float(pace)
        if not 0 <= seconds <= MAX_PACE:
            raise ValueError(f"{text!r:.60} is no rehearsal: its pace is not 0 to {MAX_PACE} seconds")
        return cls(seed=int(seed), pace=seconds, faults=tuple(map(Fault, faults)), processes=steps == PROCESSES)


def played(workflow: Workflow, rehearsal: Rehearsal) -> tuple[RehearsalAgent, RehearsedUser]:
    """The agent and the user, with the mind that the skill has for its rehearsals, or one without opinions."""
    fails = Fault.FAIL in rehearsal.faults
    module = beside(workflow.module, REHEARSAL)
    simple = Simple(seed=rehearsal.seed, fails=fails)
    mind: Mind = module.mind(_run, rehearsal.seed, fails) if module and hasattr(module, "mind") else simple
    agent = RehearsalAgent(mind, _run, rehearsal.seed, rehearsal.faults, pace=rehearsal.pace)
    return agent, RehearsedUser(mind)


def prepare(start: Command) -> None:
    """Makes what the first command of a rehearsal needs."""
    module = beside(start.module, REHEARSAL)
    if module and hasattr(module, "prepare"):
        module.prepare(start)


def sequel(start: Command) -> Command | None:
    """What is rehearsed when the rehearsal that began with a command has come to its end."""
    module = beside(start.module, REHEARSAL)
    following: Command | None = module.sequel(_run, start) if module and hasattr(module, "sequel") else None
    return following


def _run(command: Command, given: str = "") -> Ran:
    return run_here(command, given)
