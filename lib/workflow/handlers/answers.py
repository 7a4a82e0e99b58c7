"""Answers to several questions as text: a JSON object on the standard input of the step that asked."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ..arguments.stdin import read_input
from ..codec import parsed
from ..errors import UsageError
from ..util.characters import check_line, plain_json
from ..util.suggest import expected

if TYPE_CHECKING:
    from ..ast.relay import Question

MAX_BYTES: Final = 64 * 1024
MAX_DIGITS: Final = 3
SAMPLE: Final = '{"HEADER": 2, "HEADER": "the user\'s own words"}'
"""The format, for errors."""


def written(answers: Mapping[str, str]) -> str:
    """Return answers in the format that `read_answers` reads."""
    return plain_json(json.dumps(dict(answers), ensure_ascii=False))


def answers_given() -> Mapping[str, str]:
    """Return the answers on standard input, by header. Raises UsageError if they are missing or invalid."""
    try:
        return read_answers(read_input(MAX_BYTES))
    except ValueError as error:
        raise UsageError(f"standard input: {error}; write {SAMPLE}") from None


def read_answers(data: bytes | str) -> Mapping[str, str]:
    """Read answers: a number or a text on one line for each header. Raises ValueError for anything else."""
    found = parsed(data, typed=True)
    if type(found) is not dict:  # a subclass marks a duplicate key
        raise ValueError("it is not an object with a different header for each answer")
    answers: dict[str, str] = {}
    for header, answer in found.items():
        if not isinstance(answer, (str, int)) or isinstance(answer, bool):
            raise ValueError(f"{header!r:.60}: {answer!r:.60} is neither a number nor a text")
        text = str(answer).strip()
        check_line(text, f"{header!r:.60}")
        if not text:
            raise ValueError(f"{header!r:.60}: must not be blank")
        answers[str(header)] = text
    return answers


def answer_to(question: "Question", text: str, free: bool = True) -> str:
    """Return the option with this number or these words, or the text itself if `free`. Raises ValueError otherwise."""
    labels: Sequence[str] = [option.label for option in question.options]
    if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS and 1 <= int(text) <= len(labels):
        return labels[int(text) - 1]
    if text in labels or (free and text.strip() and not text.isdigit()):
        return text
    legal = ", ".join(f"{number} ({label})" for number, label in enumerate(labels, 1))
    raise ValueError(f"{question.header}: {text!r:.60} is not an answer; give a number: {legal}")


def by_header(questions: "Sequence[Question]", answers: Mapping[str, str]) -> Mapping[str, str]:
    """Return the answers as options or own words, by header.

    Raises UsageError for an unknown header and for a number without an option.
    """
    asked = {question.header: question for question in questions}
    for header in answers:
        if header not in asked:
            raise UsageError(f"answer {header!r:.60}: no question has this header; {expected(header, list(asked))}")
    try:
        return {header: answer_to(asked[header], text) for header, text in answers.items()}
    except ValueError as error:
        raise UsageError(f"answer {error}") from None
