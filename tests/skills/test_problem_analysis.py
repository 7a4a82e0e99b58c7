"""The graph of the problem analysis, and its prompts' promises."""

import re

from lib.workflow.ast.step import Invoke
from lib.workflow.ast.visitor import walk
from lib.workflow.core import Outcome
from lib.workflow.render.text import render_text
from skills.problem_analysis.workflow import MAX_REACH, WORKFLOW


def test_it_has_five_steps() -> None:
    assert list(WORKFLOW.steps) == ["gate", "hypothesize", "investigate", "formulate", "output"]


def test_investigation_has_five_rounds_and_then_leads_to_the_formulation() -> None:
    step = WORKFLOW.steps["investigate"]
    assert (step.rounds, step.target(Outcome.ITERATE), step.target(Outcome.OK)) == (5, "investigate", "formulate")


def test_without_a_problem_the_gate_leads_to_the_report() -> None:
    assert WORKFLOW.steps["gate"].target(Outcome.FAIL) == "output"


def test_the_report_has_the_command_that_starts_the_analysis_of_the_other_fault() -> None:
    document = WORKFLOW.run("output", WORKFLOW.context("output"))
    commands = [node.command for node in walk(document) if isinstance(node, Invoke)]
    assert commands == [WORKFLOW.command("gate", {})]


def test_the_cause_is_followed_to_other_inputs() -> None:
    cause = render_text(WORKFLOW.run("formulate", WORKFLOW.context("formulate")))
    assert re.search(rf"\b{MAX_REACH}\b", cause)
    assert "REACH  " in cause
