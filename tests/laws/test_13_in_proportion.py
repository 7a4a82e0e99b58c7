"""Law 13: the process is in proportion to the work. The numbers of simulated runs are budgets, and pages do not repeat."""

from functools import cache

import pytest

from benchmarks.budgets import (
    ACCEPT,
    LARGEST_PAGE,
    MOST_REPEATED,
    Budget,
    accepted,
    breaches,
    budget_of,
    changes,
    page_sizes,
    repetition,
)
from benchmarks.simulations import Measured, Simulation, measure, simulations

SIMULATIONS = tuple(simulations())


def title(run: Simulation | Budget) -> str:
    return f"{run.workflow} {run.depth}"


@cache
def measured() -> dict[str, Measured]:
    """Every simulated run, by its title."""
    return {title(each): measure(each) for each in SIMULATIONS}


@pytest.mark.parametrize("name", [title(each) for each in SIMULATIONS])
def test_a_simulated_run_costs_exactly_what_was_accepted(name: str) -> None:
    budget = next((each for each in accepted().runs if title(each) == name), None)
    assert budget is not None, f"{name} has no budget; run {ACCEPT}"
    changed = list(changes(budget, budget_of(measured()[name])))
    assert not changed, f"{name}: {', '.join(changed)}. If this is meant, run {ACCEPT}"


def test_every_budget_belongs_to_a_simulated_run() -> None:
    assert {title(each) for each in accepted().runs} <= {title(each) for each in SIMULATIONS}


def test_no_page_is_too_large_to_be_read_at_once() -> None:
    large = list(breaches(page_sizes(measured().values()), LARGEST_PAGE, accepted().large_pages))
    assert not large, "\n".join(large)


def test_no_agent_is_shown_much_that_it_was_shown_before() -> None:
    repetitive = list(breaches(repetition(measured().values()), MOST_REPEATED, accepted().repetitive_agents))
    assert not repetitive, "\n".join(repetitive)
