"""Runs on a server, for a machine that has neither their folders nor a worker."""

import os
from collections.abc import Sequence
from typing import Final

from attrs import evolve, frozen
from temporalio.client import Client
from temporalio.service import RPCError

from ....render.xml import render
from ....util.plurals import count
from ...answers import response
from ...journal.journal import Entry, Event
from ...journal.projection import HALTS, RunProjection, State
from ..connection import ServerError, check_namespace, connected
from ..memo import Facts, facts_of
from ..place import folder_of, queue_in
from ..wire import FAMILY
from .client import CALL, HALTED, NO_EVENTS, Remotely

MOST: Final = 10_000
"""Maximum runs that are read from a server."""
SHOWN: Final = 20
"""Maximum runs that an error lists."""


@frozen(kw_only=True)
class Far:
    """A run on a server."""

    id: str
    name: str
    host: str
    """Queue of its host."""
    folder: str
    """The driver's folder on its host."""
    state: State
    begun: str
    """Time of its start: ISO 8601, UTC."""
    facts: Facts
    problem: str = ""
    """Reason why nothing more can be learned about it here."""


@frozen(kw_only=True)
class View:
    """The status of a run as its worker reports it."""

    run: Far
    account: RunProjection
    problem: str = ""
    """Reason why nothing but the memo is known."""


async def far(address: str, namespace: str) -> Client:
    """Return a client that reads and writes no folder. Raises ServerError."""
    client = await connected(address, namespace, is_far=True)
    await check_namespace(client)
    return client


async def listed(client: Client, most: int = MOST) -> tuple[Far, ...]:
    """Return the latest runs of all hosts, each once. Raises ServerError."""
    found = dict[str, Far]()
    query = f"WorkflowType STARTS_WITH '{FAMILY}'"
    try:
        async for each in client.list_workflows(query, limit=MOST, rpc_timeout=CALL):
            if each.id in found or len(found) == most:  # an earlier history of the same run
                continue
            try:
                folder = folder_of(each.id)
            except ValueError:
                continue  # somebody else's, under our name
            facts, problem = Facts(), ""
            try:
                facts = await facts_of(each)
            except ValueError as error:
                problem = str(error)
            halt = HALTED.get(each.status) if each.status is not None else None
            going = State.WAITING if facts.waiting else State.AT_WORK
            found[each.id] = Far(
                id=each.id,
                name=os.path.basename(os.path.dirname(folder)),
                host=queue_in(each.id),
                folder=folder,
                state=State(halt) if halt else going,
                begun=f"{each.start_time:%Y-%m-%dT%H:%M:%S.%f}Z",
                facts=facts,
                problem=problem,
            )
    except RPCError as error:
        raise ServerError(f"the server did not list its runs: {error.message}") from None
    return tuple(found.values())


async def find(client: Client, handle: str) -> Far:
    """Return the run with a name, the beginning of one, or an id. Raises ValueError, which lists the runs."""
    runs = await listed(client)
    named = [each for each in runs if handle in (each.id, each.name)]
    named = named or [each for each in runs if handle and each.name.startswith(handle)]
    if len(named) == 1:
        return named[0]
    shown = "".join(f"\n{each.id}  {each.facts.task}".rstrip() for each in (named or runs)[:SHOWN])
    if named:
        raise ValueError(f"{count(len(named), 'run')} are named {handle!r:.80}; write the id of one:{shown}")
    raise ValueError(f"the server has no run named {handle!r:.80}; its latest runs are:{shown or ' none'}")


async def view(client: Client, run: Far) -> View:
    """Return the status of a run. Raises ServerError."""
    if run.problem:
        return View(run=run, account=RunProjection(), problem=run.problem)
    remote = Remotely(client, run.id)
    heard = await remote.heard(NO_EVENTS)
    if heard is None:
        return View(run=run, account=RunProjection(step=run.facts.phase), problem=remote.silence)
    account = heard.account
    if (
        run.state in map(str, HALTS) and str(account.halt) != run.state
    ):  # ended on the server: the run does not know of it
        account = evolve(account, halt=Event(run.state), questions=(), text=await remote.last_words())
    going = State.WAITING if account.questions else State.AT_WORK
    return View(run=evolve(run, state=State(account.halt) if account.halt else going), account=account)


async def events(client: Client, run: Far) -> tuple[Entry, ...]:
    """Return the latest events of a run. Raises ServerError."""
    if run.problem:
        raise ServerError(run.problem)
    remote = Remotely(client, run.id)
    heard = await remote.heard(0)
    if heard is None:
        raise ServerError(remote.silence)
    return heard.entries


async def answer(client: Client, run: Far, answers: Sequence[str]) -> None:
    """Send the user's answers to the first questions of a run. Raises ServerError, ValueError."""
    now = await view(client, run)
    if now.problem:
        raise ServerError(now.problem)
    key, said = response(now.account, answers)
    await Remotely(client, run.id).answer(key, render(said))
