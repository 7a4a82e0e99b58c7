"""The projection of a run: its status, computed from its events one by one."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from .journal import Entry, Event

HALTS: Final = (Event.DONE, Event.STOPPED, Event.CANCELLED)
"""Events after which the run is not at work."""
ENDS: Final = (*HALTS, Event.BEGUN, Event.RESUMED)
"""Events after which all earlier agents are gone."""
FINAL: Final = (Event.DONE, Event.CANCELLED)
"""Events that nothing follows."""


class State(StrEnum):
    """The status of a run."""

    AT_WORK = "at work"
    WAITING = "waiting"
    INTERRUPTED = "interrupted"
    """No process drives it, and it has not ended: it can be resumed."""
    DONE = "done"
    STOPPED = "stopped"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"
    """Its server cannot be asked."""


@frozen(kw_only=True)
class Agent:
    """One agent at work."""

    key: str
    role: str
    attempt: int
    since: str


@frozen(kw_only=True)
class Pause:
    """One agent whose next attempt waits for its client."""

    key: str
    role: str
    until: str
    why: str


@frozen(kw_only=True)
class Question:
    """An open question to the user; `text` holds the questions in XML."""

    key: str
    text: str


@frozen(kw_only=True)
class RunProjection:
    """The state of a run after some events."""

    step: str = ""
    """The last printed step: script, number, title."""
    pages: int = 0
    begun: str = ""
    last: str = ""
    """Time of the last event."""
    at_work: tuple[Agent, ...] = ()
    """Agents without an event since their launch."""
    pauses: tuple[Pause, ...] = ()
    """Agents that wait for their client."""
    replied: int = 0
    failed: int = 0
    """Number of failed attempts."""
    failure: str = ""
    """Reason of the last one."""
    questions: tuple[Question, ...] = ()
    """Questions without an answer."""
    halt: Event | None = None
    text: str = ""
    """Text of the event that halted the run."""

    def after(self, entry: Entry) -> "RunProjection":
        """Return the projection after one more event."""
        tally = Tally(self)
        tally.take(entry)
        return tally.account()


class Tally:
    """A projection that takes events one by one; the cost of one does not depend on the number of agents at work."""

    def __init__(self, account: RunProjection) -> None:
        self._told = account
        self._at_work = {agent.key: agent for agent in account.at_work}
        self._pauses = {pause.key: pause for pause in account.pauses}
        self._questions: dict[str, list[Question]] = {}
        for question in account.questions:
            self._questions.setdefault(question.key, []).append(question)

    def account(self) -> RunProjection:
        """Return the projection after the events so far."""
        questions = tuple(question for asked in self._questions.values() for question in asked)
        at_work, pauses = tuple(self._at_work.values()), tuple(self._pauses.values())
        return evolve(self._told, at_work=at_work, pauses=pauses, questions=questions)

    def take(self, entry: Entry) -> None:
        """Add an event. A run that is done or cancelled stays so, even if more events follow."""
        if self._told.halt in FINAL:
            return
        if entry.event not in (Event.ASKED, Event.ANSWERED):
            self._at_work.pop(entry.key, None)
            self._pauses.pop(entry.key, None)
        if entry.event in ENDS:
            self._at_work.clear()
            self._pauses.clear()
        if entry.event in FINAL:
            self._questions.clear()
        self._told = _counted(evolve(self._told, begun=self._told.begun or entry.at, last=entry.at), entry)
        match entry.event:
            case Event.ATTEMPT:
                agent = Agent(key=entry.key, role=entry.who, attempt=entry.number, since=entry.at)
                self._at_work[entry.key] = agent
            case Event.PAUSED:
                pause = Pause(key=entry.key, role=entry.who, until=entry.until, why=entry.text)
                self._pauses[entry.key] = pause
            case Event.ASKED:
                self._questions.setdefault(entry.key, []).append(Question(key=entry.key, text=entry.text))
            case Event.ANSWERED:
                self._questions.pop(entry.key, None)
            case _:
                pass


def _counted(before: RunProjection, entry: Entry) -> RunProjection:
    """Return the projection with the event's effect on the run as a whole."""
    halted = entry.event in HALTS
    now = evolve(before, halt=entry.event if halted else None, text=entry.text if halted else "")
    match entry.event:
        case Event.STEP:
            return evolve(now, step=entry.who, pages=before.pages + 1)
        case Event.REPLIED:
            return evolve(now, replied=before.replied + 1)
        case Event.FAILED:
            return evolve(now, failed=before.failed + 1, failure=entry.text)
        case _:
            return now


def account_of(entries: Iterable[Entry]) -> RunProjection:
    """Return the projection after all entries."""
    tally = Tally(RunProjection())
    for entry in entries:
        tally.take(entry)
    return tally.account()
