"""Where a run stands: whoever looks changes nothing."""

import os
from collections.abc import Callable

from attrs import evolve, frozen

from ..state.locks import is_held
from .engine import Spec, State, entries, spec_of
from .journal import JOURNAL, LOCK, Entry, read_ends
from .projection import RunProjection, account_of

GLIMPSE = 64 << 10
"""Bytes of a journal's end."""


@frozen(kw_only=True)
class Standing:
    """A run at one moment."""

    run: str
    spec: Spec
    state: State
    account: RunProjection
    """Its agents at work are those that somebody waits for."""


def standing(run: str) -> Standing:
    """How the run in a folder stands. Raises ValueError where there is none, JournalError for one that is broken."""
    return _standing(run, entries)


def glimpse(run: str) -> Standing:
    """How the run in a folder stands by the end of its journal: for lists, which must not read it whole.

    Counts of the account are too low. A question that was asked long before the end is not known. Raises as `standing`.
    """
    return _standing(run, lambda run: tuple(read_ends(os.path.join(run, JOURNAL), GLIMPSE)))


def _standing(run: str, read: Callable[[str], tuple[Entry, ...]]) -> Standing:
    lock = os.path.join(run, LOCK)
    is_live = is_held(lock)  # before the journal is read: a driver that ends meanwhile has written its last line
    past = read(run)
    account = account_of(past)
    idle = State.WAITING if account.questions else State.INTERRUPTED
    return standing_of(run, spec_of(run, past), account, State.AT_WORK if is_live or is_held(lock) else idle)


def standing_of(run: str, spec: Spec, account: RunProjection, going: State) -> Standing:
    """How a run stands by its account, `going` where that tells of no end."""
    state = going if account.halt is None else State(account.halt)
    waited_for = account.at_work if state is State.AT_WORK else ()
    return Standing(run=run, spec=spec, state=state, account=evolve(account, at_work=waited_for))
