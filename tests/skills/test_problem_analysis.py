"""The graph of the problem analysis, and what its prompts promise."""

import pytest

from lib.workflow.core import Outcome, Undecided
from lib.workflow.types import Confidence
from skills.problem_analysis.workflow import MAX_ROUNDS, SETTLED, WORKFLOW


def test_it_has_the_five_steps_of_the_catalogue() -> None:
    assert list(WORKFLOW.steps) == ["gate", "hypothesize", "investigate", "formulate", "output"]


@pytest.mark.parametrize("confidence", Confidence)
@pytest.mark.parametrize("iteration", range(1, MAX_ROUNDS + 1))
def test_a_given_confidence_decides_where_a_round_leads(confidence: Confidence, iteration: int) -> None:
    context = WORKFLOW.context("investigate", {"confidence": confidence, "iteration": iteration})
    result = WORKFLOW.outcomes("investigate", context)
    assert isinstance(result, tuple)
    settled = confidence in SETTLED or iteration == MAX_ROUNDS
    assert result == ((Outcome.OK, {}) if settled else (Outcome.ITERATE, {"iteration": iteration + 1}))


def test_the_agent_decides_otherwise_and_there_is_no_round_after_the_last() -> None:
    for iteration in range(1, MAX_ROUNDS):
        result = WORKFLOW.outcomes("investigate", WORKFLOW.context("investigate", {"iteration": iteration}))
        assert isinstance(result, Undecided)
        assert result.ways == {Outcome.OK: {}, Outcome.ITERATE: {"iteration": iteration + 1}}
    last = WORKFLOW.context("investigate", {"iteration": MAX_ROUNDS})
    assert WORKFLOW.outcomes("investigate", last) == (Outcome.OK, {})


def test_without_a_problem_the_gate_leads_to_the_report() -> None:
    assert WORKFLOW.steps["gate"].target(Outcome.FAIL) == "output"
