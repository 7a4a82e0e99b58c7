"""The question relay: texts for the sub-agent that asks and the orchestrator that relays, and the way back."""

import os
from collections.abc import Mapping
from typing import Final

from ..ast.fields import Node
from ..ast.nodes import Text
from ..ast.relay import Answer, NeedsUserInput, Option, Question, UserResponse
from ..ast.step import Branch, InvokeAfter
from ..prompts import read_prompts
from ..prompts.slots import SlotValue, fill
from ..render.xml import render
from ..types import MAX_HEADER, MAX_OPTIONS, MAX_QUESTIONS, MIN_OPTIONS

ASKING: Final = NeedsUserInput(
    (
        Question(
            header="Auth",
            text="How do callers of GET /orders/ID identify themselves?",
            options=(
                Option(label="Tokens", description="signed, short-lived, refreshed by the client"),
                Option(label="Sessions", description="a cookie, kept on the server"),
            ),
        ),
    )
)
"""Sample question block for a sub-agent."""
ANSWERING: Final = UserResponse((Answer(header="Auth", text="Tokens, but guests go without"),))
"""Sample answer block for an agent that asked."""


def _text(section: str, example: Node) -> str:
    prompt = read_prompts(os.path.join(os.path.dirname(__file__), "ask_user.md"))[section]
    values: dict[str, SlotValue] = {
        "max_questions": MAX_QUESTIONS,
        "max_header": MAX_HEADER,
        "min_options": MIN_OPTIONS,
        "max_options": MAX_OPTIONS,
        "example": render(example),
    }
    return "\n".join(node.value for node in fill([Text(prompt.text)], values) if isinstance(node, Text))


SUB_AGENT_QUESTION_FORMAT: Final = _text("ask", ASKING)
"""Text for a sub-agent's actions."""
QUESTION_RELAY_HANDLER: Final = _text("relay", ANSWERING)
"""Text for the actions of a step that dispatches."""


def questions_in(reply: str) -> NeedsUserInput | None:
    """Return the questions in a sub-agent's reply, or None. Raises ParseError for an unusable block."""
    from ..ast.parse.extract import extract  # a step that prints the texts does not need the parser

    return extract(reply, NeedsUserInput)


def chosen(asked: NeedsUserInput, said: UserResponse, after: InvokeAfter) -> Branch:
    """Return the branch of the chosen option: branches are in the order of the options of the one question.

    Raises ValueError for an answer that is not an option.
    """
    labels = [option.label for option in asked.questions[0].options]
    text = said.answers[0].text
    if text not in labels:
        raise ValueError(f"unknown answer {text!r:.60}; the labels are {', '.join(labels)}")
    return after.branches[labels.index(text)]


def answered(asked: NeedsUserInput, answers: Mapping[str, str]) -> UserResponse:
    """Return the answers in the order of the questions.

    They are given by header. Raises ValueError for missing or unknown ones.
    """
    headers = [question.header for question in asked.questions]
    missing = [header for header in headers if header not in answers]
    strangers = sorted(answers.keys() - set(headers))
    if missing or strangers:
        raise ValueError(
            f"answers: missing {', '.join(missing) or 'none'}, unknown {', '.join(strangers) or 'none'}; "
            f"the questions are {', '.join(headers)}"
        )
    return UserResponse(tuple(Answer(header=header, text=answers[header]) for header in headers))
