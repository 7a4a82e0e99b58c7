"""The accepted numbers of the simulated runs, and the limits of pages and contexts."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import Final

from attrs import asdict, fields, frozen

from benchmarks.simulations import Measured
from lib.workflow.codec import codec
from lib.workflow.testing.costs import Shown, TextKind, by_agent, cost_of

FOLDER: Final = os.path.dirname(os.path.abspath(__file__))
BUDGETS: Final = os.path.join(FOLDER, "economy.json")
"""The file that `--write` writes whole: after a merge conflict in it, write it again."""
ACCEPT: Final = "python -m benchmarks.economy --write"
LARGEST_PAGE: Final = 6_000
"""Most characters of a page."""
MOST_REPEATED: Final = 10
"""Most percent of an agent's text that it has seen before."""


@frozen(kw_only=True)
class Budget:
    """The numbers of one simulated run."""

    workflow: str
    depth: str
    agents: int
    commands: int
    pages: int
    characters: int
    repeated: int
    prompts: int
    largest_page: int

    @property
    def title(self) -> str:
        """Return the name of the run."""
        return f"{self.workflow} {self.depth}"


@frozen(kw_only=True)
class Budgets:
    """The accepted numbers."""

    runs: tuple[Budget, ...]


def budgets() -> tuple[Budget, ...]:
    """Read the accepted numbers."""
    with open(BUDGETS, encoding="utf-8") as file:
        return codec(Budgets).loads(file.read()).runs


def budget_of(run: Measured) -> Budget:
    """Return the numbers of a run."""
    return Budget(workflow=run.workflow, depth=run.depth, **asdict(cost_of(run.shown)))


def changes(before: Budget, now: Budget) -> Iterator[str]:
    """Yield each number that differs from the accepted one, in words."""
    for field in fields(Budget):
        old, new = getattr(before, field.name), getattr(now, field.name)
        if old != new:
            yield f"{field.name}: {old:,} -> {new:,} ({new - old:+,})"


def page_sizes(runs: Iterable[Measured]) -> Mapping[str, int]:
    """Return the most characters that a page has in any run, by script and step."""
    return _most(
        (f"{each.name} {each.step}", each.characters)
        for run in runs
        for each in run.shown
        if each.kind is TextKind.PAGE
    )


def repetition(runs: Iterable[Measured]) -> Mapping[str, int]:
    """Return the highest percent of repeated text per agent in any run, by role and first script, rounded up."""
    return _most(_repeated(agent) for run in runs for agent in by_agent(run.shown))


def _repeated(shown: Sequence[Shown]) -> tuple[str, int]:
    """Return an agent's role and first script, and its percent of repeated text."""
    first = next(each for each in shown if each.kind is TextKind.PAGE)
    return f"{first.role}: {first.name}", ceil(cost_of(shown).percent)


def _most(numbers: Iterable[tuple[str, int]]) -> Mapping[str, int]:
    most: dict[str, int] = {}
    for name, number in numbers:
        most[name] = max(most.get(name, 0), number)
    return most


def accept(runs: Sequence[Measured]) -> None:
    """Write the numbers of these runs."""
    with open(BUDGETS, "w", encoding="utf-8") as file:
        file.write(f"{codec(Budgets).dumps(Budgets(runs=tuple(map(budget_of, runs))))}\n")
