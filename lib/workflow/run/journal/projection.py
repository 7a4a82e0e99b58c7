"""The projection of a run: its status, computed from its events one by one."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from itertools import groupby, islice
from typing import Final

from attrs import frozen

from ...util.structs import Struct
from .entry import SESSIONS
from .journal import Entry, Event
from .outline import COUNTED, Others, Outline

HALTS: Final = frozenset({Event.DONE, Event.STOPPED, Event.CANCELLED})
"""Events after which the run is not at work."""
ENDS: Final = HALTS | SESSIONS
"""Events after which all earlier agents are gone."""
FINAL: Final = frozenset({Event.DONE, Event.CANCELLED})
"""Events that nothing follows."""
STARTS: Final = SESSIONS | {Event.ANSWERED}
"""Events until which nothing worked on the run."""
SOME: Final = 256
"""Events that are counted at once."""
RELAYS: Final = frozenset({Event.ASKED, Event.ANSWERED})
"""Events that say nothing of the agent with the same key."""


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
class Agent(Struct):
    """One agent at work."""

    key: str
    role: str
    attempt: int
    since: str


@frozen(kw_only=True)
class Pause(Struct):
    """One agent whose next attempt waits for its client."""

    key: str
    role: str
    until: str
    why: str


@frozen(kw_only=True)
class Question(Struct):
    """An open question to the user; `text` holds the questions in XML."""

    key: str
    text: str


@frozen(kw_only=True)
class RunProjection(Struct):
    """The state of a run after some events."""

    step: str = ""
    """The last printed step: script, number, title."""
    pages: int = 0
    begun: str = ""
    last: str = ""
    """Time of the last event."""
    worked: int = 0
    """Milliseconds that processes drove the run, without the pauses between them."""
    at_work: tuple[Agent, ...] = ()
    """Agents without an event since their launch."""
    pauses: tuple[Pause, ...] = ()
    """Agents that wait for their client."""
    launched: int = 0
    """Number of attempts of agents."""
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

    def after(self, entry: Entry | Outline) -> "RunProjection":
        """Return the projection after one more event."""
        tally = Tally(self)
        tally.take(entry)
        return tally.account()


class Tally:
    """A projection that takes events one by one; the cost of one does not depend on the number of agents at work."""

    def __init__(self, account: RunProjection) -> None:
        self._step, self._pages = account.step, account.pages
        self._launched, self._replied, self._failed = account.launched, account.replied, account.failed
        self._begun, self._last, self._worked = account.begun, account.last, account.worked
        self._since = account.last
        self._halt, self._text, self._failure = account.halt, account.text, account.failure
        self._at_work = {agent.key: agent for agent in account.at_work}
        self._pauses = {pause.key: pause for pause in account.pauses}
        self._questions: dict[str, list[Question]] = {}
        for question in account.questions:
            self._questions.setdefault(question.key, []).append(question)

    def account(self) -> RunProjection:
        """Return the projection after the events so far."""
        return RunProjection(
            step=self._step,
            pages=self._pages,
            begun=self._begun,
            last=self._last,
            worked=self._all_worked(),
            at_work=tuple(self._at_work.values()),
            pauses=tuple(self._pauses.values()),
            launched=self._launched,
            replied=self._replied,
            failed=self._failed,
            failure=self._failure,
            questions=tuple(question for asked in self._questions.values() for question in asked),
            halt=self._halt,
            text=self._text,
        )

    def _all_worked(self) -> int:
        """Return the milliseconds of all sessions, each until its last event so far."""
        return self._worked + milliseconds(self._since, self._last)

    def take(self, entry: Entry | Outline) -> None:
        """Add an event. A run that is done or cancelled stays so, even if more events follow."""
        if self._halt in FINAL:
            return
        if isinstance(entry, Outline) or entry.event in COUNTED:
            self.take_all((entry,))
            return
        event, at = entry.event, entry.at
        if event not in RELAYS:
            self._at_work.pop(entry.key, None)
            self._pauses.pop(entry.key, None)
        if event in ENDS:
            self._at_work.clear()
            self._pauses.clear()
        self._halt, self._text = (event, entry.text) if event in HALTS else (None, "")
        self._begun, self._since = self._begun or at, self._since or at
        if event in STARTS:
            self._worked, self._since = self._all_worked(), at
        self._last = at
        self._count(entry)

    def take_all(self, rows: Sequence[Entry | Outline]) -> None:
        """Add pages, attempts and replies that follow one another."""
        if self._halt in FINAL or not rows:
            return
        events, keys = [row.event for row in rows], [row.key for row in rows]
        last = dict(zip(keys, rows, strict=True))
        for key in last:
            self._at_work.pop(key, None)
            self._pauses.pop(key, None)
        for event, key, row in zip(events, keys, rows, strict=True):
            if event == Event.ATTEMPT and last[key] is row:
                self._at_work[key] = Agent(key=key, role=row.who, attempt=row.number, since=row.at)
        self._halt, self._text = None, ""
        self._begun, self._since = self._begun or rows[0].at, self._since or rows[0].at
        self._last = rows[-1].at
        self._launched += events.count(Event.ATTEMPT)
        self._replied += events.count(Event.REPLIED)
        self._pages += events.count(Event.STEP)
        if Event.STEP in events:
            self._step = next(row.who for row in reversed(rows) if row.event == Event.STEP)

    def pass_over(self, others: Others) -> None:
        """Add the numbers of events that are not known otherwise; another event follows them."""
        if self._halt in FINAL:
            return
        self._pages += others.pages
        self._launched += others.attempts
        self._replied += others.replies

    def _count(self, entry: Entry) -> None:
        """Add any other event to the counts, the agents and the open questions."""
        match entry.event:
            case Event.FAILED:
                self._failed, self._failure = self._failed + 1, entry.text
            case Event.PAUSED:
                pause = Pause(key=entry.key, role=entry.who, until=entry.until, why=entry.text)
                self._pauses[entry.key] = pause
            case Event.ASKED:
                self._questions.setdefault(entry.key, []).append(Question(key=entry.key, text=entry.text))
            case Event.ANSWERED:
                self._questions.pop(entry.key, None)
            case Event.DONE | Event.CANCELLED:
                self._questions.clear()
            case _:
                pass


def milliseconds(one: str, other: str) -> int:
    """Return the time from one event to a later one; 0 if a time is missing or impossible, or they are not in order."""
    try:
        passed = datetime.fromisoformat(other) - datetime.fromisoformat(one)
    except ValueError:
        return 0
    return max(round(passed.total_seconds() * 1000), 0)


def account_of(entries: Iterable[Entry | Outline | Others]) -> RunProjection:
    """Return the projection after all entries. With numbers in place of some, its agents at work are not right."""
    tally = Tally(RunProjection())
    for kind, found in groupby(entries, type):
        if kind is Outline:
            while some := [each for each in islice(found, SOME) if isinstance(each, Outline)]:
                tally.take_all(some)
            continue
        for entry in found:
            if isinstance(entry, Others):
                tally.pass_over(entry)
            else:
                tally.take(entry)
    return tally.account()
