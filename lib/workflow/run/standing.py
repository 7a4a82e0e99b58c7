"""Where a run stands: whoever looks changes nothing."""

import os

from attrs import frozen

from ..locks import BusyError, LockError, locked
from .account import Account, Agent, Question, account_of
from .engine import Spec, State, entries, spec_of
from .journal import LOCK, Event

HALTS = {Event.DONE: State.DONE, Event.STOPPED: State.STOPPED, Event.CANCELLED: State.CANCELLED}


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
    account = account_of(past)
    idle = State.WAITING if account.questions else State.INTERRUPTED
    return standing_of(run, spec_of(past), account, State.AT_WORK if _is_live(run) else idle)


def standing_of(run: str, spec: Spec, account: Account, going: State) -> Standing:
    """How a run stands by its account, `going` where that tells of no end."""
    state = going if account.halt is None else HALTS[account.halt]
    return Standing(
        run=run,
        spec=spec,
        state=state,
        step=account.step,
        pages=account.pages,
        begun=account.begun,
        last=account.last,
        at_work=account.at_work if state is State.AT_WORK else (),
        replied=account.replied,
        failed=account.failed,
        questions=account.questions,
        text=account.text,
    )


def _is_live(run: str) -> bool:
    try:
        with locked(os.path.join(run, LOCK), 0):
            return False
    except BusyError:
        return True
    except LockError:
        return False
