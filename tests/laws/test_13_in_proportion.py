"""Law 13: the process is in proportion to the work. Simulated runs have budgets, and pages do not repeat."""

from functools import cache
from pathlib import Path

import pytest

from benchmarks.budgets import (
    ACCEPT,
    LARGEST_PAGE,
    MOST_REPEATED,
    Budget,
    budget_of,
    budgets,
    changes,
    page_sizes,
    repetition,
)
from benchmarks.simulations import TRIAL, Measured, measured, simulations
from lib.workflow.testing.costs import cost_of
from tests.subjects import ROOT

AIMS = {"incoherence large": 100_000}
"""Most characters of runs that have cost too much in the hands of real agents."""
TITLES = [f"{workflow} {depth}" for workflow, depth, _ in simulations()]


@cache
def runs() -> dict[str, Measured]:
    """Return every simulated run, by its title."""
    return {run.title: run for run in measured()}


@pytest.mark.parametrize("title", TITLES)
def test_cost_of_a_simulated_run_equals_its_accepted_budget(title: str) -> None:
    budget = next((each for each in budgets() if each.title == title), None)
    assert budget is not None, f"{title} has no budget; run {ACCEPT}"
    changed = list(changes(budget, budget_of(runs()[title])))
    assert not changed, f"{title}: {', '.join(changed)}. If this is meant, run {ACCEPT}"


@pytest.mark.parametrize(("title", "most"), AIMS.items())
def test_cost_of_a_simulated_run_stays_below_its_aim(title: str, most: int) -> None:
    assert cost_of(runs()[title].shown).characters <= most


def test_every_budget_belongs_to_a_simulated_run() -> None:
    assert [each.title for each in budgets()] == TITLES


def test_no_page_is_too_large_to_be_read_at_once() -> None:
    large = {name: size for name, size in page_sizes(runs().values()).items() if size > LARGEST_PAGE}
    assert not large


def test_no_agent_is_shown_much_that_it_was_shown_before() -> None:
    repetitive = {name: percent for name, percent in repetition(runs().values()).items() if percent > MOST_REPEATED}
    assert not repetitive


@pytest.mark.parametrize("budget", [each for each in budgets() if each.workflow == TRIAL], ids=lambda each: each.depth)
def test_the_document_on_costs_has_the_numbers_that_are_measured(budget: Budget) -> None:
    percent = round(100 * budget.repeated / budget.characters)
    numbers = (budget.depth, budget.agents, budget.commands, budget.pages, f"{budget.characters:,}", f"{percent} %")
    assert f"| {' | '.join(map(str, numbers))} |" in Path(ROOT, "docs", "cost.md").read_text(encoding="utf-8")
