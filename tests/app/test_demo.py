"""The demo walks to the end, and fails loudly."""

from collections.abc import Callable

import pytest

from lib.workflow.app import demo as module
from lib.workflow.app.demo import DemoError, demo
from lib.workflow.ast.nodes import Document
from lib.workflow.ast.step import Complete, StepHeader
from lib.workflow.core import StepContext
from skills.problem_analysis.workflow import WORKFLOW
from tests.subjects import PROOF
from tests.workflows.review.workflow import WORKFLOW as REVIEW


def test_a_workflow_is_walked_to_its_end_with_a_confidence_that_rises() -> None:
    shown = list(demo(WORKFLOW))
    headers = [next(block for block in step.document.blocks if isinstance(block, StepHeader)) for step in shown]
    assert [header.step for header in headers] == [1, 2, 3, 3, 3, 3, 4, 5]
    claims = [step.choice.split(",")[0] for step in shown if step.choice.startswith("at confidence")]
    assert claims == [f"at confidence {level}" for level in ("exploring", "low", "medium", "high")]
    assert isinstance(shown[-1].document.blocks[-1], Complete)


def test_a_print_that_is_not_what_was_rendered_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    run: Callable[[int | str, StepContext], Document] = WORKFLOW.run
    monkeypatch.setattr(WORKFLOW, "run", lambda step, context: Document(run(step, context).blocks[1:]))
    with pytest.raises(DemoError, match="does not read back as what was rendered"):
        list(demo(WORKFLOW))


def test_a_workflow_that_must_be_told_something_is_walked_with_a_sample() -> None:
    workflow = PROOF.targets.workflows["skills.decision_critic.decision_critic"]
    assert next(demo(workflow)).command.words[2] == "--decision"


def test_a_command_that_does_not_run_is_a_failure() -> None:
    with pytest.raises(DemoError, match=r"exit status 2 .*\n.*--state-dir"):
        list(demo(REVIEW))


def test_a_loop_without_an_end_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_STEPS", 2)
    with pytest.raises(DemoError, match="no end after 2 steps"):
        list(demo(WORKFLOW))


def test_a_command_that_prints_no_xml_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKFLOW_PYTHON", "echo '<a>'")
    with pytest.raises(DemoError, match="is not closed"):
        list(demo(WORKFLOW))
