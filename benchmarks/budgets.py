"""The numbers of the simulated runs that are accepted, kept in `economy.json`, and the laws for pages and contexts."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import Final

from attrs import asdict, evolve, fields, frozen

from benchmarks.simulations import Measured
from lib.workflow.codec import codec
from lib.workflow.testing.meter import Kind, sum_of

FILE: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "economy.json")
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
    largest_page: int


@frozen(kw_only=True)
class Bound:
    """The limit of something that still breaks a law."""

    name: str
    most: int


@frozen(kw_only=True)
class Budgets:
    """The data file."""

    runs: tuple[Budget, ...]
    large_pages: tuple[Bound, ...]
    """Characters of a page, by script and step."""
    repetitive_agents: tuple[Bound, ...]
    """Percent of repeated text, by role and first script of an agent."""


def accepted() -> Budgets:
    """Read the data file."""
    with open(FILE, encoding="utf-8") as file:
        return codec(Budgets).loads(file.read())


def write(budgets: Budgets) -> None:
    """Write the data file."""
    with open(FILE, "w", encoding="utf-8") as file:
        file.write(f"{codec(Budgets).dumps(budgets)}\n")


def budget_of(measured: Measured) -> Budget:
    """The numbers of a run."""
    numbers = asdict(sum_of(measured.prints))
    return Budget(workflow=measured.workflow, depth=measured.depth, agents=measured.agents, **numbers)


def changes(before: Budget, now: Budget) -> Iterator[str]:
    """Each number that is not the accepted one, in words."""
    for field in fields(Budget):
        old, new = getattr(before, field.name), getattr(now, field.name)
        if old != new:
            yield f"{field.name}: {old:,} -> {new:,} ({new - old:+,})"


def page_sizes(runs: Iterable[Measured]) -> Mapping[str, int]:
    """The most characters that a page has in any run, by script and step."""
    sizes: dict[str, int] = {}
    for run in runs:
        for each in run.prints:
            if each.kind is Kind.PAGE:
                name = f"{each.name} {each.step}"
                sizes[name] = max(sizes.get(name, 0), each.characters)
    return sizes


def repetition(runs: Iterable[Measured]) -> Mapping[str, int]:
    """The most percent of repeated text that an agent gets in any run, by its role and first script, rounded up."""
    shares: dict[str, int] = {}
    for run in runs:
        for agent in range(run.agents + 1):
            prints = [each for each in run.prints if each.agent == agent]
            name = f"{prints[0].role}: {prints[0].name}"
            shares[name] = max(shares.get(name, 0), ceil(sum_of(prints).percent))
    return shares


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


def accept(runs: Sequence[Measured]) -> Budgets:
    """The data file after these runs: their numbers, and no exception that is not needed."""
    before = accepted()
    return Budgets(
        runs=tuple(map(budget_of, runs)),
        large_pages=tightened(before.large_pages, page_sizes(runs), LARGEST_PAGE),
        repetitive_agents=tightened(before.repetitive_agents, repetition(runs), MOST_REPEATED),
    )
