"""The numbers of the simulated runs that are accepted, and the laws for pages and contexts with their exceptions."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import Final, TypeVar

from attrs import asdict, evolve, fields, frozen

from benchmarks.simulations import Measured
from lib.workflow.codec import codec
from lib.workflow.testing.costs import Shown, TextKind, by_agent, cost_of

T = TypeVar("T")

FOLDER: Final = os.path.dirname(os.path.abspath(__file__))
BUDGETS: Final = os.path.join(FOLDER, "economy.json")
"""Written whole by `--write`: after a merge that conflicts there, write it again."""
EXCEPTIONS: Final = os.path.join(FOLDER, "exceptions.json")
"""Only made smaller by `--write`: what is added is added by hand."""
ACCEPT: Final = "python -m benchmarks.economy --write"
LARGEST_PAGE: Final = 6_000
"""Characters of a page, at most."""
MOST_REPEATED: Final = 10
"""Percent of the text that one agent gets which it was shown before, at most."""


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
        """Names the run."""
        return f"{self.workflow} {self.depth}"


@frozen(kw_only=True)
class Bound:
    """The limit of something that still breaks a law."""

    name: str
    most: int


@frozen(kw_only=True)
class Budgets:
    """The accepted numbers."""

    runs: tuple[Budget, ...]


@frozen(kw_only=True)
class Exceptions:
    """What breaks a law."""

    large_pages: tuple[Bound, ...]
    """Characters of a page, by script and step."""
    repetitive_agents: tuple[Bound, ...]
    """Percent of repeated text, by role and first script of an agent."""


def budgets() -> tuple[Budget, ...]:
    """Read the accepted numbers."""
    return _read(BUDGETS, Budgets).runs


def exceptions() -> Exceptions:
    """Read the exceptions."""
    return _read(EXCEPTIONS, Exceptions)


def _read(path: str, cls: type[T]) -> T:
    with open(path, encoding="utf-8") as file:
        return codec(cls).loads(file.read())


def _write(path: str, cls: type[T], value: T) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{codec(cls).dumps(value)}\n")


def budget_of(run: Measured) -> Budget:
    """The numbers of a run."""
    return Budget(workflow=run.workflow, depth=run.depth, **asdict(cost_of(run.shown)))


def changes(before: Budget, now: Budget) -> Iterator[str]:
    """Each number that is not the accepted one, in words."""
    for field in fields(Budget):
        old, new = getattr(before, field.name), getattr(now, field.name)
        if old != new:
            yield f"{field.name}: {old:,} -> {new:,} ({new - old:+,})"


def page_sizes(runs: Iterable[Measured]) -> Mapping[str, int]:
    """The most characters that a page has in any run, by script and step."""
    return _most(
        (f"{each.name} {each.step}", each.characters)
        for run in runs
        for each in run.shown
        if each.kind is TextKind.PAGE
    )


def repetition(runs: Iterable[Measured]) -> Mapping[str, int]:
    """The most percent of repeated text that an agent gets in any run, by its role and first script, rounded up."""
    return _most(_repeated(agent) for run in runs for agent in by_agent(run.shown))


def _repeated(shown: Sequence[Shown]) -> tuple[str, int]:
    """An agent by its role and first script, and its percent of repeated text."""
    first = next(each for each in shown if each.kind is TextKind.PAGE)
    return f"{first.role}: {first.name}", ceil(cost_of(shown).percent)


def _most(numbers: Iterable[tuple[str, int]]) -> Mapping[str, int]:
    most: dict[str, int] = {}
    for name, number in numbers:
        most[name] = max(most.get(name, 0), number)
    return most


def breaches(found: Mapping[str, int], limit: int, bounds: Sequence[Bound]) -> Iterator[str]:
    """What breaks a law beyond its bound, and each bound that is not needed, in words."""
    known = {bound.name: bound.most for bound in bounds}
    for name, number in sorted(found.items()):
        most = max(known.get(name, limit), limit)
        if number > most:
            yield f"{name}: {number:,}, at most {most:,}"
    for name, most in known.items():
        if max(found.get(name, 0), limit) < most:
            yield f"{name}: the exception of {most:,} is too wide, it is {found.get(name, 0):,} now; run {ACCEPT}"


def tightened(bounds: Sequence[Bound], found: Mapping[str, int], limit: int) -> tuple[Bound, ...]:
    """The bounds as far as they are still needed. None is added or raised: that is done by hand."""
    now = (evolve(bound, most=min(bound.most, found.get(bound.name, 0))) for bound in bounds)
    return tuple(bound for bound in now if bound.most > limit)


def accept(runs: Sequence[Measured]) -> None:
    """Write the numbers of these runs, and make the exceptions as small as they need to be."""
    before = exceptions()
    now = Exceptions(
        large_pages=tightened(before.large_pages, page_sizes(runs), LARGEST_PAGE),
        repetitive_agents=tightened(before.repetitive_agents, repetition(runs), MOST_REPEATED),
    )
    _write(BUDGETS, Budgets, Budgets(runs=tuple(map(budget_of, runs))))
    _write(EXCEPTIONS, Exceptions, now)
