"""Steps that depend on a state, wait for the user, or hand over to another script."""

import os
from pathlib import Path

import pytest

from lib.workflow.ast.dispatch import SubagentDispatchNode
from lib.workflow.ast.nodes import Document
from lib.workflow.ast.parse import parse
from lib.workflow.ast.relay import NeedsUserInput, Option, Question
from lib.workflow.ast.results import Refusal, RefusalSeverity
from lib.workflow.ast.step import CurrentAction, InvokeAfter, StepHeader
from lib.workflow.ast.visitor import walk
from lib.workflow.cli import main
from lib.workflow.core import (
    AnswersFile,
    AskAll,
    AskUser,
    Handler,
    Outcome,
    StepContext,
    StepDef,
    UsageError,
    Workflow,
    WorkflowError,
)
from lib.workflow.handlers.answers import by_header, read_answers, written
from lib.workflow.util.output import REFUSED, WAITING
from tests.blocks import only
from tests.workflows.desk.workflow import WORKFLOW

HOME = "tests.workflows.desk.workflow"
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def desk(tmp_path: Path) -> str:
    """Create a state directory with a request."""
    (tmp_path / "request").write_text("a <request> & more")
    return str(tmp_path)


def printed(step: str, state_dir: str, **values: str) -> Document:
    return WORKFLOW.run(step, WORKFLOW.context(step, {"state_dir": state_dir, **values}))


def test_a_question_has_a_state_for_each_of_its_options() -> None:
    with pytest.raises(WorkflowError, match=r"2, .* 1;"):
        AskUser(Question(header="a", text="b", options=(Option(label="c"), Option(label="d"))), {})


def test_a_step_that_asks_the_user_prints_the_question_and_a_command_for_each_answer(desk: str) -> None:
    document = printed("ask", desk)
    assert [type(block) for block in document.blocks] == [StepHeader, CurrentAction, NeedsUserInput, InvokeAfter]
    questions = document.blocks[2]
    assert isinstance(questions, NeedsUserInput)
    assert [option.label for option in questions.questions[0].options] == ["take it", "work on it", "drop it"]
    after = document.blocks[3]
    assert isinstance(after, InvokeAfter)
    branches = [(branch.outcome, branch.invoke.command.words[-2:]) for branch in after.branches]
    assert branches == [(None, ("--answer", word)) for word in ("take", "work", "drop")]


def test_waiting_step_exits_with_the_waiting_status(desk: str, capfd: Captured) -> None:
    assert main(HOME, ["--step", "3", "--state-dir", desk]) == WAITING
    assert parse(capfd.readouterr().out) == printed("ask", desk)


def test_out_of_order_step_is_refused_with_the_next_command(tmp_path: Path, capfd: Captured) -> None:
    assert main(HOME, ["--step", "3", "--state-dir", str(tmp_path)]) == REFUSED
    refusal = only(capfd.readouterr().out, Refusal)
    assert (refusal.code, refusal.severity, refusal.target) == ("no-request", RefusalSeverity.ERROR, str(tmp_path))
    assert refusal.invoke is not None
    assert refusal.invoke.command.words == ("--step", "1", "--state-dir", str(tmp_path))


def test_another_script_can_take_over(desk: str) -> None:
    after = printed("ask", desk, answer="take").blocks[-1]
    assert isinstance(after, InvokeAfter)
    assert after.invoke is not None
    command = after.invoke.command
    assert (command.module, command.words) == ("tests.workflows.review.run", ("--step", "1", "--state-dir", desk))


def test_agent_without_a_verdict_has_one_branch_and_gets_the_state(desk: str) -> None:
    document = printed("work", desk)
    (dispatch,) = (node for node in walk(document) if isinstance(node, SubagentDispatchNode))
    assert (dispatch.prompt, dispatch.tier) == ("Meet a <request> & more", "strong")
    after = document.blocks[-1]
    assert isinstance(after, InvokeAfter)
    assert not after.branches


def test_a_step_that_changes_state_does_it_once(tmp_path: Path) -> None:
    printed("open", str(tmp_path))
    before = os.stat(tmp_path / "request").st_size
    assert printed("open", str(tmp_path)) == printed("open", str(tmp_path))
    assert os.stat(tmp_path / "request").st_size == before


SIZE = Question(header="Size", text="How large?", options=(Option(label="4 MiB"), Option(label="5 MB")))
TERM = Question(header="Term", text="How long?", options=(Option(label="a day"), Option(label="a week")))


def several(context: StepContext, answers_file: AnswersFile | None = None) -> tuple[Outcome, dict[str, str]] | AskAll:
    return AskAll(SIZE, TERM) if answers_file is None else (Outcome.OK, {})


def deaf(context: StepContext) -> tuple[Outcome, dict[str, str]] | AskAll:
    return AskAll(SIZE, TERM)


def asking(handler: Handler) -> Workflow:
    step = StepDef(id="ask", title="Ask", actions="Ask.", handler=handler, next={Outcome.OK: None})
    return Workflow("asking", step, module="tests.asking")


def test_several_questions_are_one_page_whose_command_reads_all_answers() -> None:
    workflow = asking(several)
    document = workflow.run("ask", workflow.context("ask", {}))
    (asked,) = (block for block in document.blocks if isinstance(block, NeedsUserInput))
    assert asked.questions == (SIZE, TERM)
    after = document.blocks[-1]
    assert isinstance(after, InvokeAfter)
    assert after.invoke is not None
    assert after.invoke.command.words == ("--step", "1", "--answers-file", "-")
    assert workflow.step("ask").kind.asks


def test_step_with_several_questions_needs_the_parameter_for_answers() -> None:
    workflow = asking(deaf)
    with pytest.raises(WorkflowError, match="answers_file"):
        workflow.run("ask", workflow.context("ask", {}))


def test_answers_are_options_by_number_or_label_or_own_words() -> None:
    answers = read_answers('{"Size": 2, "Term": "a day, and a week for staff"}')
    assert by_header((SIZE, TERM), answers) == {"Size": "5 MB", "Term": "a day, and a week for staff"}
    assert by_header((SIZE,), read_answers(written({"Size": "4 MiB"}))) == {"Size": "4 MiB"}


@pytest.mark.parametrize("text", ["", "[]", '"x"', '{"Size": true}', '{"Size": null}', '{"Size": ""}', '{"Size": 1, "Size": 2}', '{"Size": "a\\nb"}', "{", '{"Size": 1.5}'])  # fmt: skip
def test_text_that_is_no_answers_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        read_answers(text)


@pytest.mark.parametrize(("header", "answer"), [("Sise", "1"), ("Size", "3"), ("Size", "0")])
def test_answer_to_no_question_is_wrong_usage(header: str, answer: str) -> None:
    with pytest.raises(UsageError, match=answer if header == "Size" else header):
        by_header((SIZE, TERM), {header: answer})
