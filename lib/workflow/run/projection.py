"""What the events of a run add up to, taken one after the other."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from .journal import Entry, Event

HALTS: Final = (Event.DONE, Event.STOPPED, Event.CANCELLED)
"""The events after which nobody is at work."""
ENDS: Final = (*HALTS, Event.BEGUN, Event.RESUMED)
"""Those with which all earlier agents are gone."""
FINAL: Final = (Event.DONE, Event.CANCELLED)
"""Those that nothing follows."""


class State(StrEnum):
    """How a run stands."""

    AT_WORK = "at work"
    WAITING = "waiting"
    INTERRUPTED = "interrupted"
    """Nobody drives it, and it has not ended: it can be resumed."""
    DONE = "done"
    STOPPED = "stopped"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"
    """Whoever keeps it cannot be asked."""


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
class RunProjection:
    """A run after so many events."""

    step: str = ""
    """The last step that was printed: script, number, title."""
    pages: int = 0
    begun: str = ""
    last: str = ""
    """When something happened last."""
    at_work: tuple[Agent, ...] = ()
    """Those that nothing was heard of since they were launched."""
    replied: int = 0
    failed: int = 0
    """Attempts."""
    questions: tuple[Question, ...] = ()
    """Without an answer."""
    halt: Event | None = None
    text: str = ""
    """What was said at the halt."""

    def after(self, entry: Entry) -> "RunProjection":
        """The account with one event more."""
        tally = Tally(self)
        tally.take(entry)
        return tally.account()


class Tally:
    """Takes events one after the other; what one costs does not depend on how many agents are at work."""

    def __init__(self, account: RunProjection) -> None:
        self._told = account
        self._at_work = {agent.key: agent for agent in account.at_work}
        self._questions: dict[str, list[Question]] = {}
        for question in account.questions:
            self._questions.setdefault(question.key, []).append(question)

    def account(self) -> RunProjection:
        """The account after the events so far."""
        questions = tuple(question for asked in self._questions.values() for question in asked)
        return evolve(self._told, at_work=tuple(self._at_work.values()), questions=questions)

    def take(self, entry: Entry) -> None:
        """Add an event. A run that is done or cancelled stays so, whatever somebody adds."""
        if self._told.halt in FINAL:
            return
        if entry.event not in (Event.ASKED, Event.ANSWERED):
            self._at_work.pop(entry.key, None)
        if entry.event in ENDS:
            self._at_work.clear()
        if entry.event in FINAL:
            self._questions.clear()
        self._told = _counted(evolve(self._told, begun=self._told.begun or entry.at, last=entry.at), entry)
        match entry.event:
            case Event.ATTEMPT:
                agent = Agent(key=entry.key, role=entry.who, attempt=entry.number, since=entry.at)
                self._at_work[entry.key] = agent
            case Event.ASKED:
                self._questions.setdefault(entry.key, []).append(Question(key=entry.key, text=entry.text))
            case Event.ANSWERED:
                self._questions.pop(entry.key, None)
            case _:
                pass


def _counted(told: RunProjection, entry: Entry) -> RunProjection:
    """The account with what an event says of the run as a whole."""
    halted = entry.event in HALTS
    now = evolve(told, halt=entry.event if halted else None, text=entry.text if halted else "")
    match entry.event:
        case Event.STEP:
            return evolve(now, step=entry.who, pages=told.pages + 1)
        case Event.REPLIED:
            return evolve(now, replied=told.replied + 1)
        case Event.FAILED:
            return evolve(now, failed=told.failed + 1)
        case _:
            return now


def account_of(entries: Iterable[Entry]) -> RunProjection:
    """What they add up to."""
    tally = Tally(RunProjection())
    for entry in entries:
        tally.take(entry)
    return tally.account()
