"""The status and the events of any run, on this machine or on a server; reading them imports no engine of runs."""

import os
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Final

from attrs import frozen

from ...run.journal import mark as marks
from ...run.journal import status as standing
from ...run.journal.history import entries, spec_of
from ...run.journal.journal import AGENTS, JOURNAL, LOCK, Entry, read, read_from
from ...run.journal.outline import outlines
from ...run.journal.projection import RunProjection, State
from ...run.journal.spec import Spec
from ...run.journal.status import Standing
from ...run.temporal.place import is_remote
from ...state.locks import is_held
from ...util.output import DONE, INTERRUPTED, WAITING
from ...util.structs import Struct

if TYPE_CHECKING:
    from ...run.spending.breakdown import AgentUsage

LOCAL, TEMPORAL, S3 = "local", "temporal", "s3"
PAUSE: Final = 0.5
"""Seconds between checks of a run on this machine."""
STATUS: Final = {State.DONE: DONE, State.WAITING: WAITING, State.INTERRUPTED: INTERRUPTED}
"""Exit status by the state at a halt; 1 for any other state."""


@frozen(kw_only=True)
class Choice(Struct):
    """The engine of a new run; the other fields are Temporal's."""

    engine: str = LOCAL
    address: str = ""
    namespace: str = ""
    queue: str = ""
    pool: str = ""
    apart: bool = False
    """True if the hosts of the pool have neither the project nor the folders of runs."""

    @property
    def server(self) -> tuple[str, ...]:
        """Return address and namespace of the run's server; empty for a run on this machine."""
        return () if self.engine == LOCAL else (self.address, self.namespace)


def chosen(engine: str, address: str, namespace: str, queue: str, pool: str = "", apart: bool = False) -> Choice:
    """Return the engine of a new run; an empty address or namespace is that of the user's Temporal profile.

    Raises ValueError if the engine is not installed, the profile cannot be read, or agents apart have no pool, keys
    and store.
    """
    if engine == LOCAL:
        if apart:
            raise ValueError("--no-shared-folder is for the agents of a pool: add --engine temporal --pool NAME")
        return Choice()
    installed()
    from ...run.temporal.connection import endpoint

    address, namespace = endpoint(address, namespace)
    if apart:
        from ...run.temporal.payloads.sealing import check_apart

        check_apart(pool)
    return Choice(engine=engine, address=address, namespace=namespace, queue=queue, pool=pool, apart=apart)


def choice_of(run: str) -> Choice:
    """Return the engine of a run."""
    if not is_remote(run):
        return Choice()
    from ...run.temporal.host_record import read_record  # few runs are on servers

    record = read_record(run)
    return Choice(
        engine=TEMPORAL,
        address=record.address,
        namespace=record.namespace,
        queue=record.queue,
        pool=record.pool,
        apart=record.apart,
    )


def installed() -> None:
    """Raise ValueError if the engine of many hosts, or the library of its store of payloads, is not installed."""
    _check_extra("temporalio", TEMPORAL, "the engine temporal")
    from ...run.temporal.payloads.stores import STORE, is_bucket

    if is_bucket(os.environ.get(STORE, "")):
        _check_extra("boto3", S3, f"the library for the store in {STORE}")


def _check_extra(module: str, extra: str, what: str) -> None:
    """Raise ValueError, with the command that installs it, if a module of an extra is not installed."""
    if find_spec(module) is None:
        from ..install.distribution import origin
        from ..install.host.environment import extra_line

        raise ValueError(f"{what} is not installed; install it with:  {extra_line(extra, origin())}")


def spec_at(run: str) -> Spec:
    """Return the specification of a run."""
    if is_remote(run):
        from ...run.temporal.host_record import read_record  # the same

        return read_record(run).spec
    path = os.path.join(run, JOURNAL)
    return spec_of(run, tuple(islice(read(path), 1)) if os.path.exists(path) else ())


def standing_at(run: str) -> Standing:
    """Return the status of a run. Raises ValueError if it cannot be determined."""
    if not is_remote(run):
        return standing.standing(run)
    check_server(run)
    from . import server_runs

    return server_runs.standing(run)


def check_server(run: str) -> None:
    """Raise RefusedError for a server that this user has neither named nor agreed to, ValueError without the engine."""
    choice = choice_of(run)
    marks.check(run, spec_at(run), choice.server)
    installed()


def unasked(run: str) -> Standing:
    """Return the status from the folder of a run on a server, without asking the server."""
    text = "its server was not asked"
    return standing.standing_of(run, spec_at(run), RunProjection(text=text), State.UNKNOWN)


def driven_before(run: str) -> float:
    """Return the number of seconds that processes have driven a run on this machine; 0 for a new one."""
    try:
        return 0 if is_remote(run) else standing.standing(run).account.worked / 1000
    except (ValueError, OSError):  # driving it reports the fault
        return 0


def standings_at(runs: Sequence[str]) -> tuple[Standing, ...]:
    """Return the status of runs on servers, asked at the same time. If it cannot be determined, it is UNKNOWN."""
    if not runs:
        return ()
    try:
        installed()
    except ValueError as error:
        nothing = RunProjection(text=str(error))
        return tuple(standing.standing_of(run, spec_at(run), nothing, State.UNKNOWN) for run in runs)
    from . import server_runs

    return server_runs.standings(runs)


def changes_at(run: str) -> Iterator[None]:
    """Yield after each change of a run, and at times without one. A server is not asked between."""
    if not is_remote(run):
        while True:
            time.sleep(PAUSE)
            yield
    from . import server_runs

    yield from server_runs.changes(run)


def spending_at(run: str, spec: Spec) -> "Sequence[AgentUsage]":
    """Return the tokens of a run's agents; without their roles and steps if a server has the events of the run."""
    if not os.path.isdir(os.path.join(run, AGENTS)):  # no agent was started on this machine
        return ()
    from ...run.spending.breakdown import agents_of, by_agent  # a run without agents need not pay for it
    from ...run.spending.usage import usages

    return agents_of(usages(run)) if is_remote(run) else by_agent(run, outlines(os.path.join(run, JOURNAL)), spec)


def events_at(run: str) -> Sequence[Entry]:
    """Return the events of a run; of one on Temporal the latest."""
    if not is_remote(run):
        return entries(run)
    check_server(run)
    from . import server_runs

    return server_runs.events(run)


class Events:
    """The events of a run, as they come."""

    def __init__(self, run: str) -> None:
        self._run, self._place = run, 0

    def new(self) -> Sequence[Entry]:
        """Return the events since the last call."""
        if is_remote(self._run):
            events, before = events_at(self._run), self._place
            self._place = len(events)
            return events[before:]
        found, self._place = read_from(os.path.join(self._run, JOURNAL), self._place)
        return found

    def state(self) -> State:
        """Return the state of the run; the journal of a run that a process drives is not read for it."""
        if not is_remote(self._run) and is_held(os.path.join(self._run, LOCK)):
            return State.AT_WORK
        return standing_at(self._run).state
