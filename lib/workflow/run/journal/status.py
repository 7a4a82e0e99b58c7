"""The status of a run, read without changes."""

import os
from collections.abc import Callable, Iterator
from itertools import chain, islice

from attrs import evolve, frozen

from ...state.locks import is_held
from ...util.structs import Struct
from .history import spec_of
from .journal import JOURNAL, LOCK, Entry
from .outline import Others, Outline, deciding, outlines, summary
from .projection import RunProjection, State, account_of
from .spec import Spec

GLIMPSE = 64 << 10
"""Bytes read from a journal's end."""


@frozen(kw_only=True)
class Standing(Struct):
    """The status of a run at one moment."""

    run: str
    spec: Spec
    state: State
    account: RunProjection
    """Its agents at work are those of a live driver."""


def standing(run: str) -> Standing:
    """Return the status of the run in a folder. Raises ValueError without a run, JournalError for a broken one."""
    path = os.path.join(run, JOURNAL)
    if not os.path.exists(path):
        return _standing(run, lambda _: iter(()))
    return _standing(run, lambda is_live: outlines(path) if is_live else summary(path))


def glimpse(run: str) -> Standing:
    """Return the status of the run in a folder from the end of its journal, for lists of runs.

    Reading a whole journal would take too long.

    Only the state, the questions near the end and the time of the last event are right: pages and agents are not
    counted. Raises as `standing` does.
    """
    return _standing(run, lambda _: deciding(os.path.join(run, JOURNAL), GLIMPSE))


def _standing(run: str, read: Callable[[bool], "Iterator[Entry | Outline | Others]"]) -> Standing:
    """Return the status by the events that `read` gives if a process drives the run, or not."""
    lock = os.path.join(run, LOCK)
    while True:
        is_live = is_held(lock)  # before the journal is read: a driver that ends meanwhile has written its last line
        past = read(is_live)
        first = tuple(islice(past, 1))
        account = account_of(chain(first, past))
        if is_live or not is_held(lock):  # else a driver has begun meanwhile
            break
    idle = State.WAITING if account.questions else State.INTERRUPTED
    return standing_of(run, spec_of(run, first), account, State.AT_WORK if is_live else idle)


def standing_of(run: str, spec: Spec, account: RunProjection, going: State) -> Standing:
    """Return the status of a run by its projection, or `going` if it has not halted."""
    state = going if account.halt is None else State(account.halt)
    if state is not State.AT_WORK and (account.at_work or account.pauses):
        account = evolve(account, at_work=(), pauses=())
    return Standing(run=run, spec=spec, state=state, account=account)
