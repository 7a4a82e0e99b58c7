"""The record of a run: the results in its journal, with paths as they are now."""

from collections.abc import Iterable
from typing import Final

from ..command import Command
from .driver.retries import NO_TRIES, Tries
from .journal.entry import Entry, Event
from .journal.move import Move
from .journal.refusals import MisfitError as MisfitError
from .journal.spec import Session

RESULTS: Final = (Event.STEP, Event.REPLIED, Event.LOST, Event.ANSWERED)
"""Events that end an activity."""


class Record:
    """Results and questions of a run, by key, without the activity at which the run stopped: it is executed again."""

    def __init__(self, entries: Iterable[Entry], now: Session) -> None:
        self._now = now
        self._move = Move.between(now, now)
        self._results: dict[str, tuple[Entry, Move]] = {}
        self._asked: set[str] = set()
        self._tries: dict[str, Tries] = {}
        self.sessions = 0
        for entry in entries:
            self._take_in(entry)

    def _take_in(self, entry: Entry) -> None:
        match entry.event:
            case Event.BEGUN | Event.RESUMED:
                self.sessions += 1
                self._move = Move.between(entry.session or self._now, self._now)
            case Event.ATTEMPT:
                before = self.tries(entry.key)
                self._tries[entry.key] = Tries(last=entry.number, failed=before.failed, is_open=True)
            case Event.FAILED:
                before = self.tries(entry.key)
                self._tries[entry.key] = Tries(last=entry.number, failed=before.failed + 1, why=entry.text)
            case Event.PAUSED:  # its last failure, if any, counts as none
                before = self.tries(entry.key)
                self._tries[entry.key] = Tries(last=before.last, failed=max(before.failed - 1, 0), why=before.why)
            case Event.ASKED:
                self._asked.add(entry.key)
            case Event.STOPPED:
                self._forget(entry.key)
            case _ if entry.event in RESULTS:
                self._results.pop(entry.key, None)
                self._results[entry.key] = (entry, self._move)  # so that it is the last one
            case _:
                pass

    def _forget(self, cause: str) -> None:
        """Forget the activity at which a run stopped, so that it is executed again."""
        last = next(reversed(self._results), "")
        if not cause and last and self._results[last][0].event in (Event.STEP, Event.ANSWERED):
            cause = last
        self._results.pop(cause, None)
        self._asked.discard(cause)

    def tries(self, key: str) -> Tries:
        """Return the attempts at a job."""
        return self._tries.get(key, NO_TRIES)

    def is_asked(self, key: str) -> bool:
        """Return True if the user was asked under this key."""
        return key in self._asked

    def take(self, key: str, command: str = "") -> Entry | None:
        """Return the result of an activity, once; None without one.

        Args:
            key: The activity.
            command: The command that it runs or that its agent starts with.

        Raises:
            MisfitError: If the result belongs to another command. Module and words are compared, with paths as they
                are now; the interpreter is not.
        """
        found = self._results.pop(key, None)
        if found is None:
            return None
        entry = found[1].entry(found[0])
        if command and entry.command and not _means(entry.command, command):
            raise MisfitError(key, f"the record has the result of  {entry.command}  but the run now runs  {command}")
        return entry


def _means(one: str, other: str) -> bool:
    """Return True if two commands mean the same, with any interpreter."""
    if one == other:
        return True
    first, second = Command.read(one), Command.read(other)
    return (first.module, first.words) == (second.module, second.words)
