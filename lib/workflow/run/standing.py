"""Where a run stands: whoever looks changes nothing."""

import os

from attrs import evolve, frozen

from ..locks import BusyError, LockError, locked
from .account import Account, account_of
from .engine import Spec, State, entries, spec_of
from .journal import JOURNAL, LOCK, read_ends

GLIMPSE = 64 << 10
"""Bytes of a journal's end."""


@frozen(kw_only=True)
class Standing:
    """A run at one moment."""

    run: str
    spec: Spec
    state: State
    account: Account
    """Its agents at work are those that somebody waits for."""


def standing(run: str) -> Standing:
    """How the run in a folder stands. Raises ValueError where there is none, JournalError for one that is broken."""
    past = entries(run)
    account = account_of(past)
    idle = State.WAITING if account.questions else State.INTERRUPTED
    return standing_of(run, spec_of(run, past), account, State.AT_WORK if _is_live(run) else idle)


def glimpse(run: str) -> Standing:
    """How the run in a folder stands by the end of its journal: for lists, which must not read it whole.

    Counts of the account are too low. A question that was asked long before the end is not known. Raises as `standing`.
    """
    past = tuple(read_ends(os.path.join(run, JOURNAL), GLIMPSE))
    account = account_of(past)
    idle = State.WAITING if account.questions else State.INTERRUPTED
    return standing_of(run, spec_of(run, past), account, State.AT_WORK if _is_live(run) else idle)


def standing_of(run: str, spec: Spec, account: Account, going: State) -> Standing:
    """How a run stands by its account, `going` where that tells of no end."""
    state = going if account.halt is None else State(account.halt)
    waited_for = account.at_work if state is State.AT_WORK else ()
    return Standing(run=run, spec=spec, state=state, account=evolve(account, at_work=waited_for))


def _is_live(run: str) -> bool:
    try:
        with locked(os.path.join(run, LOCK), 0):
            return False
    except BusyError:
        return True
    except LockError:
        return False
