"""What the events of a run add up to, taken one after the other."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from .journal import Entry, Event

HALTS: Final = (Event.DONE, Event.STOPPED, Event.CANCELLED)
"""The events after which nobody is at work."""
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
class Account:
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

    def after(self, entry: Entry) -> "Account":
        """The account with one event more. A run that is done or cancelled stays so, whatever somebody adds."""
        if self.halt in FINAL:
            return self
        now = evolve(self, begun=self.begun or entry.at, last=entry.at, halt=None, text="")
        if entry.event in HALTS:
            asked = () if entry.event in FINAL else now.questions
            return evolve(now, halt=entry.event, text=entry.text, at_work=(), questions=asked)
        others = tuple(agent for agent in self.at_work if agent.key != entry.key)
        match entry.event:
            case Event.BEGUN | Event.RESUMED:
                return evolve(now, at_work=())
            case Event.STEP:
                return evolve(now, step=entry.who, pages=self.pages + 1, at_work=others)
            case Event.ATTEMPT:
                agent = Agent(key=entry.key, role=entry.who, attempt=entry.number, since=entry.at)
                return evolve(now, at_work=(*others, agent))
            case Event.REPLIED:
                return evolve(now, at_work=others, replied=self.replied + 1)
            case Event.FAILED:
                return evolve(now, at_work=others, failed=self.failed + 1)
            case Event.ASKED:
                return evolve(now, questions=(*self.questions, Question(key=entry.key, text=entry.text)))
            case Event.ANSWERED:
                return evolve(now, questions=tuple(each for each in self.questions if each.key != entry.key))
            case _:
                return evolve(now, at_work=others)


def account_of(entries: Iterable[Entry]) -> Account:
    """What they add up to."""
    account = Account()
    for entry in entries:
        account = account.after(entry)
    return account
