"""The question relay, both ends: how a sub-agent asks, how the orchestrator relays, and the way back."""

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
"""The example that a sub-agent is shown."""
ANSWERING: Final = UserResponse((Answer(header="Auth", text="Tokens, but guests go without"),))
"""The example of what an agent that asked is given."""


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
"""For a sub-agent's actions (specification 003, "Constants")."""
QUESTION_RELAY_HANDLER: Final = _text("relay", ANSWERING)
"""For the actions of a step that dispatches (the same place)."""


def questions_in(reply: str) -> NeedsUserInput | None:
    """The questions that a sub-agent's reply holds, or None. Raises ParseError for a block that cannot be used."""
    from ..ast.extract import extract  # a step that prints the texts does not pay for the parser

    return extract(reply, NeedsUserInput)


def chosen(asked: NeedsUserInput, said: UserResponse, after: InvokeAfter) -> Branch:
    """The branch of the option that the user chose: branches stand in the order of the options of the one question.

    Raises ValueError for an answer that is no option.
    """
    labels = [option.label for option in asked.questions[0].options]
    text = said.answers[0].text
    if text not in labels:
        raise ValueError(f"the answer {text!r:.60} is none of {', '.join(labels)}")
    return after.branches[labels.index(text)]


def answered(asked: NeedsUserInput, answers: Mapping[str, str]) -> UserResponse:
    """The answers, by header, in the order of the questions. Raises ValueError for one missing, and for a stranger."""
    headers = [question.header for question in asked.questions]
    missing = [header for header in headers if header not in answers]
    strangers = sorted(answers.keys() - set(headers))
    if missing or strangers:
        raise ValueError(
            f"answers: missing {', '.join(missing) or 'none'}, unknown {', '.join(strangers) or 'none'}; "
            f"the questions are {', '.join(headers)}"
        )
    return UserResponse(tuple(Answer(header=header, text=answers[header]) for header in headers))
