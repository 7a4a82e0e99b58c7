"""Budgets: a number that differs from the accepted one is named, and an exception from a law only ever shrinks."""

import pytest
from attrs import evolve

from benchmarks.budgets import Budget, changes

BUDGET = Budget(
    workflow="planner",
    depth="full",
    agents=3,
    commands=40,
    pages=20,
    characters=12_000,
    repeated=700,
    prompts=90,
    largest_page=900,
)


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (BUDGET, []),
        (evolve(BUDGET, characters=13_500), ["characters: 12,000 -> 13,500 (+1,500)"]),
        (evolve(BUDGET, agents=2, largest_page=901), ["agents: 3 -> 2 (-1)", "largest_page: 900 -> 901 (+1)"]),
    ],
)
def test_each_number_that_changed_is_said_with_by_how_much(now: Budget, said: list[str]) -> None:
    assert list(changes(BUDGET, now)) == said
