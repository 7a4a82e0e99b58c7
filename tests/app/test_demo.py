"""The demo fails loudly."""

import io
from collections.abc import Callable

import pytest

from lib.workflow.app import demo as module
from lib.workflow.app.demo import demo
from lib.workflow.ast.nodes import Document
from lib.workflow.core import StepContext
from skills.problem_analysis.workflow import WORKFLOW
from tests.workflows.review.workflow import WORKFLOW as REVIEW

Captured = pytest.CaptureFixture[str]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_colour() -> None:
    out = Terminal()
    assert demo(WORKFLOW, out) == 0
    assert "\033[1mSTEP 1/5: Gate the problem statement\033[0m" in out.getvalue()
    assert "\033[32m  " in out.getvalue()


def test_a_print_that_is_not_what_was_rendered_is_a_failure(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    run: Callable[[int | str, StepContext], Document] = WORKFLOW.run
    monkeypatch.setattr(WORKFLOW, "run", lambda step, context: Document(run(step, context).blocks[1:]))
    assert demo(WORKFLOW, io.StringIO()) == 1
    assert "does not read back as what was rendered" in capsys.readouterr().err


def test_a_workflow_that_must_be_told_something_is_walked_with_a_sample() -> None:
    assert demo(REVIEW, io.StringIO()) == 0


def test_a_command_that_does_not_run_is_a_failure(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKFLOW_PYTHON", "false")
    assert demo(WORKFLOW, io.StringIO()) == 1
    assert "exit status 1" in capsys.readouterr().err


def test_a_loop_without_an_end_is_a_failure(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_STEPS", 2)
    assert demo(WORKFLOW, io.StringIO()) == 1
    assert "no end after 2 steps" in capsys.readouterr().err


def test_a_command_that_prints_no_xml_is_a_failure(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKFLOW_PYTHON", "echo '<a>'")
    assert demo(WORKFLOW, io.StringIO()) == 1
    assert "is not closed" in capsys.readouterr().err
