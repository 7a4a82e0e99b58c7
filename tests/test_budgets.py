"""A number that is not the accepted one is named, and an exception from a law is only ever made smaller by itself."""

from collections.abc import Mapping

import pytest
from attrs import evolve

from benchmarks.budgets import Bound, Budget, breaches, changes, tightened

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


TOO_WIDE = "the exception of 130 is too wide, it is {} now; run python -m benchmarks.economy --write"


@pytest.mark.parametrize(
    ("found", "said", "left"),
    [
        ({"a 1": 130}, [], {"a 1": 130}),
        ({"a 1": 131}, ["a 1: 131, at most 130"], {"a 1": 130}),
        ({"a 1": 120}, [f"a 1: {TOO_WIDE.format(120)}"], {"a 1": 120}),
        ({"a 1": 100}, [f"a 1: {TOO_WIDE.format(100)}"], {}),
        ({}, [f"a 1: {TOO_WIDE.format(0)}"], {}),
        ({"a 1": 130, "a 2": 100}, [], {"a 1": 130}),
        ({"a 1": 130, "a 2": 101}, ["a 2: 101, at most 100"], {"a 1": 130}),
    ],
)
def test_an_exception_bounds_what_breaks_a_law_until_it_is_not_needed(
    found: Mapping[str, int], said: list[str], left: Mapping[str, int]
) -> None:
    bounds = (Bound(name="a 1", most=130),)
    assert list(breaches(found, 100, bounds)) == said
    assert {bound.name: bound.most for bound in tightened(bounds, found, 100)} == left
