"""Where a run stands, told from its journal alone: whoever looks changes nothing."""

import os

from attrs import frozen

from ..locks import BusyError, LockError, locked
from .engine import Spec, State, entries, spec_of
from .journal import LOCK, Entry, Event

HALTS = {Event.DONE: State.DONE, Event.STOPPED: State.STOPPED, Event.CANCELLED: State.CANCELLED}


@frozen(kw_only=True)
class Agent:
    """One agent at work."""

    key: str
    role: str
    attempt: int
    since: str


@frozen(kw_only=True)
class Question:
    """What the user is asked; `text` holds the questions as a print does."""

    key: str
    text: str


@frozen(kw_only=True)
class Standing:
    """A run at one moment."""

    run: str
    spec: Spec
    state: State
    step: str
    """The last step that was printed: script, number, title."""
    pages: int
    begun: str
    last: str
    """When something happened last."""
    at_work: tuple[Agent, ...]
    replied: int
    failed: int
    """Attempts."""
    questions: tuple[Question, ...]
    text: str
    """What was said last, why it stopped."""


def standing(run: str) -> Standing:
    """How the run in a folder stands. Raises ValueError where there is none, JournalError for one that is broken."""
    past = entries(run)
    spec = spec_of(past)
    live = _is_live(run)
    questions = _open(past)
    steps = [entry for entry in past if entry.event is Event.STEP]
    return Standing(
        run=run,
        spec=spec,
        state=_state(past, live, bool(questions)),
        step=steps[-1].who if steps else "",
        pages=len(steps),
        begun=past[0].at,
        last=past[-1].at,
        at_work=_at_work(past) if live else (),
        replied=sum(entry.event is Event.REPLIED for entry in past),
        failed=sum(entry.event is Event.FAILED for entry in past),
        questions=questions,
        text=past[-1].text if past[-1].event in HALTS else "",
    )


def _state(past: tuple[Entry, ...], live: bool, asked: bool) -> State:
    if past[-1].event in HALTS:
        return HALTS[past[-1].event]
    if live:
        return State.AT_WORK
    return State.WAITING if asked else State.INTERRUPTED


def _open(past: tuple[Entry, ...]) -> tuple[Question, ...]:
    answered = {entry.key for entry in past if entry.event is Event.ANSWERED}
    return tuple(
        Question(key=entry.key, text=entry.text)
        for entry in past
        if entry.event is Event.ASKED and entry.key not in answered
    )


def _at_work(past: tuple[Entry, ...]) -> tuple[Agent, ...]:
    working: dict[str, Agent] = {}
    for entry in past:
        if entry.event is Event.ATTEMPT:
            working[entry.key] = Agent(key=entry.key, role=entry.who, attempt=entry.number, since=entry.at)
        elif entry.event in (Event.BEGUN, Event.RESUMED):
            working.clear()
        else:
            working.pop(entry.key, None)
    return tuple(working.values())


def _is_live(run: str) -> bool:
    try:
        with locked(os.path.join(run, LOCK), 0):
            return False
    except BusyError:
        return True
    except LockError:
        return False
