"""The simulated runs that are measured: each workflow that people start, and planner and executor as one run."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from attrs import evolve, frozen

from benchmarks import incoherence
from lib.workflow.app.runs.simulation import Simulation, simulate
from lib.workflow.app.skills.start_commands import starts_by_hand
from lib.workflow.discovery import search
from lib.workflow.testing.costs import Shown
from lib.workflow.testing.reader import Mind, Run
from skills.planner import rehearsal

PACKAGE: Final = "skills"
REQUEST: Final = "Limit each caller's requests"
TRIAL: Final = "planner+executor"
"""The run that is shaped like the trials with real agents."""
FULL: Final = "full"
"""The depth of a run whose first command names none."""
DEPTHS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "planner+executor": {"light": ("--depth", "light")},
    "decision-critic": {"short": ("--depth", "short")},
    "deepthink": {"quick": ("--mode", "quick")},
}
"""The other depths of a run, each with the words for its first command."""
SIZES: Final[Mapping[str, Mapping[str, Callable[[Run], Mind]]]] = {"incoherence": {"large": incoherence.mind}}
"""Other sizes of a full run, each with its simulator."""


@frozen(kw_only=True)
class Measured:
    """One run, and the text that its agents saw."""

    workflow: str
    depth: str
    shown: tuple[Shown, ...]

    @property
    def title(self) -> str:
        """Return the name of the run."""
        return f"{self.workflow} {self.depth}"


def simulations() -> Iterator[tuple[str, str, Simulation]]:
    """Yield each run with its workflow's name and its depth."""
    for name, simulation in _full():
        yield name, FULL, simulation
        for depth, words in DEPTHS.get(name, {}).items():
            yield name, depth, evolve(simulation, words=words)
        for size, mind in SIZES.get(name, {}).items():
            yield name, size, evolve(simulation, mind=mind)


def _full() -> Iterator[tuple[str, Simulation]]:
    found = {each.workflow.name: each for each in search(PACKAGE)[0] if starts_by_hand(each)}
    yield TRIAL, Simulation(found=found["planner"], request=REQUEST, mind=rehearsal.trial, goes_on=True)
    for name, each in found.items():
        yield name, Simulation(found=each, request=REQUEST)


def measured(only: frozenset[str] = frozenset()) -> Iterator[Measured]:
    """Simulate the runs of these workflows, or all."""
    for workflow, depth, simulation in simulations():
        if not only or workflow in only:
            yield Measured(workflow=workflow, depth=depth, shown=simulate(simulation))
