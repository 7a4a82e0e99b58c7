"""The graph of the problem analysis, and what its prompts promise."""

from lib.workflow.ast.step import Invoke
from lib.workflow.ast.visitor import walk
from lib.workflow.core import Outcome
from lib.workflow.render.text import render_text
from skills.problem_analysis.workflow import MAX_ROUNDS, WORKFLOW


def test_it_has_the_five_steps_of_the_catalogue() -> None:
    assert list(WORKFLOW.steps) == ["gate", "hypothesize", "investigate", "formulate", "output"]


def test_the_investigation_has_so_many_rounds_and_leads_on_by_its_ledger() -> None:
    step = WORKFLOW.steps["investigate"]
    assert (step.rounds, step.target(Outcome.ITERATE), step.target(Outcome.OK)) == (5, "investigate", "formulate")


def test_without_a_problem_the_gate_leads_to_the_report() -> None:
    assert WORKFLOW.steps["gate"].target(Outcome.FAIL) == "output"


def page(step: str, told: dict[str, int] | None = None) -> str:
    return render_text(WORKFLOW.run(step, WORKFLOW.context(step, told or {})))


def test_the_method_of_the_rounds_is_printed_in_the_first_and_named_by_its_command_in_the_others() -> None:
    first, *later = (page("investigate", {"iteration": n}) for n in range(1, MAX_ROUNDS + 1))
    method = [line for line in first.split("\n") if line.startswith("  1. ")]
    assert method
    assert all(method[0] not in text and "--step 3" in text for text in later)
    assert len(first) > 2 * max(map(len, later))


def test_the_report_has_the_command_that_starts_the_analysis_of_the_other_fault() -> None:
    document = WORKFLOW.run("output", WORKFLOW.context("output"))
    commands = [node.command for node in walk(document) if isinstance(node, Invoke)]
    assert commands == [WORKFLOW.command("gate", {})]
