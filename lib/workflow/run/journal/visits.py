"""The events of a run as pages and their attempts, with times on a clock that stops between sessions."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from attrs import define

from .entry import SESSIONS, Entry, Event
from .projection import HALTS, milliseconds


class Outcome(StrEnum):
    """The outcome of an attempt."""

    REPLIED = "replied"
    FAILED = "failed"
    LOST = "failed, no attempt left"
    PAUSED = "waits for its client"
    CUT = "cut off"
    """Its driver ended before it did."""
    AT_WORK = "at work"


ENDS: Final = {
    Event.REPLIED: Outcome.REPLIED,
    Event.FAILED: Outcome.FAILED,
    Event.LOST: Outcome.LOST,
    Event.PAUSED: Outcome.PAUSED,
}


@define(kw_only=True)
class Attempt:
    """One attempt of an agent.

    `begin` and `end` are milliseconds since the run began, without the time in which no process drove it.
    """

    key: str
    role: str
    number: int
    begin: int
    end: int
    outcome: Outcome = Outcome.AT_WORK
    text: str = ""
    """Its reply, or the reason why it has none."""


@define(kw_only=True)
class Visit:
    """One printed page, and the attempts of the agents that it launched or that worked on it."""

    key: str
    title: str = ""
    """Script, number and title of the step."""
    page: str = ""
    command: str = ""
    begin: int
    attempts: list[Attempt]


@define(kw_only=True)
class Exchange:
    """Questions to the user in XML, with the answers; an open one has none."""

    key: str
    questions: str
    answers: str = ""


class Visits:
    """The pages, attempts and questions of one run, built event by event."""

    def __init__(self, entries: Iterable[Entry], begin: int = 0, live: int | None = None) -> None:
        """Read the events.

        Args:
            entries: The events in order.
            begin: Milliseconds of work before the first event, in runs that came before it.
            live: Milliseconds since the last event, if a process drives the run now; else None.
        """
        self.now = begin
        """Milliseconds of work after the last event."""
        self.pages: dict[str, Visit] = {}
        self.exchanges: list[Exchange] = []
        self._attempts: dict[str, Attempt] = {}
        self._last = ""
        for entry in entries:
            self._take(entry)
        if live is None:
            self._cut()
        self.now += live or 0
        for attempt in self._open():
            attempt.end = self.now

    @property
    def attempts(self) -> list[Attempt]:
        """All attempts, page by page."""
        return [attempt for visit in self.pages.values() for attempt in visit.attempts]

    def _open(self) -> list[Attempt]:
        return [each for each in self._attempts.values() if each.outcome is Outcome.AT_WORK]

    def _cut(self) -> None:
        """End all open attempts: their driver is gone."""
        for attempt in self._open():
            attempt.outcome, attempt.end = Outcome.CUT, self.now

    def _take(self, entry: Entry) -> None:
        if entry.event not in SESSIONS:
            self.now += milliseconds(self._last, entry.at)
        self._last = entry.at
        if entry.event in HALTS or entry.event in SESSIONS:
            self._cut()
        match entry.event:
            case Event.STEP:
                self._visit(entry)
            case Event.ATTEMPT:
                begun = Attempt(key=entry.key, role=entry.who, number=entry.number, begin=self.now, end=self.now)
                self._attempts[entry.key] = begun
                self._page(entry.key).attempts.append(begun)
            case Event.ASKED:
                self.exchanges.append(Exchange(key=entry.key, questions=entry.text))
            case Event.ANSWERED:
                self._answer(entry)
            case event if event in ENDS:
                self._end(entry, ENDS[event])
            case _:
                pass

    def _end(self, entry: Entry, outcome: Outcome) -> None:
        """End an attempt. The reply of one that was cut off counts; a pause or a loss may follow its failure."""
        attempt = self._attempts.get(entry.key)
        if attempt is not None:
            if attempt.outcome in (Outcome.AT_WORK, Outcome.CUT):
                attempt.end = self.now
            attempt.outcome, attempt.text = outcome, entry.text

    def _answer(self, entry: Entry) -> None:
        for exchange in self.exchanges:
            if exchange.key == entry.key and not exchange.answers:
                exchange.answers = entry.text

    def _visit(self, entry: Entry) -> None:
        """Add a page; one that is printed again after a stop keeps its attempts."""
        visit = self._page(entry.key)
        visit.title, visit.page, visit.command = entry.who, entry.text, entry.command

    def _page(self, key: str) -> Visit:
        """Return the page of an activity: its key is the first part."""
        name = key.partition(".")[0]
        return self.pages.setdefault(name, Visit(key=name, begin=self.now, attempts=[]))
