"""The question relay, both ends."""

import pytest

from lib.workflow.ast.parse import ParseError
from lib.workflow.ast.parse.extract import extract
from lib.workflow.ast.relay import NeedsUserInput, UserResponse
from lib.workflow.ast.step import CurrentAction
from lib.workflow.handlers.ask_user import (
    ANSWERING,
    ASKING,
    QUESTION_RELAY_HANDLER,
    SUB_AGENT_QUESTION_FORMAT,
    answered,
    questions_in,
)
from lib.workflow.render.xml import render
from lib.workflow.types import MAX_HEADER, MAX_QUESTIONS
from tests.wording import elided


def test_each_text_shows_an_example_that_reads_as_the_node() -> None:
    assert extract(SUB_AGENT_QUESTION_FORMAT, NeedsUserInput) == ASKING
    assert extract(QUESTION_RELAY_HANDLER, UserResponse) == ANSWERING


def test_no_example_holds_what_the_page_around_it_would_have_to_break_up() -> None:
    assert "CDATA" not in SUB_AGENT_QUESTION_FORMAT + QUESTION_RELAY_HANDLER


def test_the_numbers_are_those_that_are_enforced() -> None:
    assert f"1 to {MAX_QUESTIONS} questions" in SUB_AGENT_QUESTION_FORMAT
    assert f"at most {MAX_HEADER}" in SUB_AGENT_QUESTION_FORMAT
    assert "{{" not in SUB_AGENT_QUESTION_FORMAT + QUESTION_RELAY_HANDLER


def test_question_texts_can_be_actions_of_a_step() -> None:
    assert len(CurrentAction([SUB_AGENT_QUESTION_FORMAT, QUESTION_RELAY_HANDLER]).children) == 1


def test_questions_are_read_out_of_a_reply_and_answers_written_back() -> None:
    asked = questions_in(f"I need to ask.\n\n{render(ASKING)}\n")
    assert asked == ASKING
    assert answered(asked, {"Auth": ANSWERING.answers[0].text}) == ANSWERING
    assert questions_in("All done.") is None


def test_a_reply_that_cannot_be_used_says_why() -> None:
    with pytest.raises(ParseError, match=elided("2:1: needs_user_input: <needs_user_input> … questions")):
        questions_in("x\n<needs_user_input/>")


def test_answers_must_be_those_of_the_questions() -> None:
    with pytest.raises(ValueError, match=elided("Auth, unknown … Auth")):
        answered(ASKING, {"Scope": "x"})
