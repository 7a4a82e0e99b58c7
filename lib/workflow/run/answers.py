"""The user's answers to a run that waits."""

from collections.abc import Sequence

from ..ast.relay import UserResponse
from ..handlers.answers import answer_to
from ..handlers.ask_user import answered
from ..render.xml import render
from ..util.plurals import count
from .driver.driver import takes_options_only
from .engine import write
from .journal.journal import Entry, Event
from .journal.projection import FINAL, RunProjection
from .journal.projection import Question as Asked
from .local import read_questions


def asked(account: RunProjection) -> Asked:
    """Return the first questions of a run. Raises ValueError without one."""
    if account.halt in FINAL:
        raise ValueError(f"the run is {account.halt}: it has no open questions")
    if not account.questions:
        raise ValueError(account.text if account.text and not account.pages else "the run has no open questions")
    return account.questions[0]


def response(account: RunProjection, answers: Sequence[str]) -> tuple[str, UserResponse]:
    """Return the key and the answers of a run's first questions. Raises ValueError if they do not fit."""
    first = asked(account)
    given = read_questions(first.text)
    if len(answers) != len(given.questions):
        raise ValueError(
            f"{count(len(answers), 'answer')} ({', '.join(f'{text!r:.40}' for text in answers)}) "
            f"to {count(len(given.questions), 'question')}; give one answer for each, in order"
        )
    free = not takes_options_only(first.key)
    said = {item.header: answer_to(item, text, free) for item, text in zip(given.questions, answers, strict=True)}
    return first.key, answered(given, said)


def note(run: str, key: str, said: UserResponse) -> None:
    """Record the answers for a run on this machine. Raises BusyRunError, or ValueError for a run that has ended."""
    write(run, Entry(event=Event.ANSWERED, key=key, text=render(said)))
