"""A rehearsal: simulated agents, described by one text, so that a killed run is resumed by the same ones.

The skill provides the simulation in a module `rehearsal` beside its scripts, with any of these names: `mind(run, seed,
fails)` returns the simulator; `prepare(start)` makes what the first command needs, if it is missing; `sequel(run,
start)` returns the first command of what a user starts after the run, or None; `PROJECT` is the folder in the state
directory that holds the simulated project.
"""

from typing import Final

from attrs import frozen

from ...command import Command
from ...core import Workflow
from ...run.defaults import REHEARSAL
from ...run.faults import Fault
from ...run.rehearsal import RehearsalAgent, RehearsedUser
from ...testing.inprocess import run_here
from ...testing.process import Ran
from ...testing.reader import Mind, Simple, Thorough
from ...testing.stage import beside
from ...util.characters import MAX_DIGITS

LONGEST: Final = 0
"""Seed of the rehearsal that takes the longest way."""
PROCESSES: Final = "processes"
MAX_PACE: Final = 10
"""Maximum seconds."""
SECONDS: Final = 0.05
"""Timeout for an agent that hangs. Others work without a pause, so they cannot be late."""


@frozen(kw_only=True)
class Rehearsal:
    """The parameters of a rehearsal."""

    seed: int = 0
    faults: tuple[Fault, ...] = ()
    pace: float = 0.0
    """Seconds that each agent takes, for watchers."""
    processes: bool = False
    """True if steps run as processes."""

    @property
    def seconds(self) -> float | None:
        """Return the timeout of an attempt; None if no agent hangs."""
        return SECONDS + self.pace if Fault.HANG in self.faults else None

    def __str__(self) -> str:
        steps = PROCESSES if self.processes else "here"
        return " ".join((REHEARSAL, str(self.seed), f"{self.pace:g}", steps, *self.faults))

    @classmethod
    def read(cls, text: str) -> "Rehearsal":
        """Parse a rehearsal. Raises ValueError."""
        words = text.split(" ")
        if len(words) < 4 or words[0] != REHEARSAL or not (words[1].isdigit() and len(words[1]) <= MAX_DIGITS):
            raise ValueError(f"{text!r:.60} is not a rehearsal")
        _, seed, pace, steps, *faults = words
        seconds = float(pace)
        if not 0 <= seconds <= MAX_PACE:
            raise ValueError(f"{text!r:.60} is not a rehearsal: the pace must be 0 to {MAX_PACE} seconds")
        return cls(seed=int(seed), pace=seconds, faults=tuple(map(Fault, faults)), processes=steps == PROCESSES)


def played(workflow: Workflow, rehearsal: Rehearsal, asks: bool = False) -> tuple[RehearsalAgent, RehearsedUser]:
    """Return the agent and the user, with the skill's simulator, or a simple one.

    Seed 0 takes the longest way, other seeds choose one. With `asks` the longest way has a question of the first agent
    that is launched, unless the skill has its own simulator.
    """
    fails = Fault.FAIL in rehearsal.faults
    module = beside(workflow.module, REHEARSAL)
    is_longest = rehearsal.seed == LONGEST
    simple = (Thorough if is_longest else Simple)(seed=rehearsal.seed, fails=fails)
    mind: Mind = module.mind(_run, rehearsal.seed, fails) if module and hasattr(module, "mind") else simple
    asks = asks and is_longest and mind is simple
    agent = RehearsalAgent(mind, _run, rehearsal.seed, rehearsal.faults, pace=rehearsal.pace, asks=asks)
    return agent, RehearsedUser(mind)


def prepare(start: Command) -> None:
    """Make what the first command of a rehearsal needs."""
    module = beside(start.module, REHEARSAL)
    if module and hasattr(module, "prepare"):
        module.prepare(start)


def sequel(start: Command) -> Command | None:
    """Return the first command of the rehearsal that follows a finished one."""
    module = beside(start.module, REHEARSAL)
    following: Command | None = module.sequel(_run, start) if module and hasattr(module, "sequel") else None
    return following


def _run(command: Command, given: str = "") -> Ran:
    return run_here(command, given)
