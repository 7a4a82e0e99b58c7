"""The user's answers to a run that waits."""

from collections.abc import Sequence

from ..ast.parse import parse
from ..ast.relay import NeedsUserInput, Question
from ..questions import answered
from ..render.xml import render
from .driver import takes_options_only
from .engine import write
from .journal import Entry, Event
from .standing import standing


def answer(run: str, answers: Sequence[str]) -> None:
    """Writes the answers down. Raises ValueError where nothing is asked, or the answers do not fit; BusyRunError."""
    waiting = standing(run).questions
    if not waiting:
        raise ValueError("the run asks nothing")
    first = waiting[0]
    (asked,) = parse(first.text).blocks
    assert isinstance(asked, NeedsUserInput)
    if len(answers) != len(asked.questions):
        raise ValueError(
            f"{len(answers)} answers to {len(asked.questions)} questions; give one for each, in their order"
        )
    free = not takes_options_only(first.key)
    said = {item.header: _one(item, text, free) for item, text in zip(asked.questions, answers, strict=True)}
    write(run, Entry(event=Event.ANSWERED, key=first.key, text=render(answered(asked, said))))


def _one(question: Question, text: str, free: bool) -> str:
    """The option of a number, an option's own words, or a text where any will do."""
    labels = [option.label for option in question.options]
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(labels):
        return labels[int(text) - 1]
    if text in labels or (free and text.strip() and not text.isdigit()):
        return text
    raise ValueError(f"{question.header}: {text!r:.60} is no answer; give a number from 1 to {len(labels)}")
