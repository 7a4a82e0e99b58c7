"""The engine of many hosts: a Temporal server records runs, and the workers of each host execute them."""

import asyncio
import os
from collections.abc import Callable, Iterable
from typing import Final

from attrs import evolve, frozen

from ...ast.relay import UserResponse
from ...render.xml import render
from ..allowed_commands import Known
from ..defaults import BACKOFF
from ..engine import Ended, Spec, State
from ..journal.journal import Entry, Event
from ..journal.projection import FINAL, RunProjection
from ..journal.status import Standing, standing_of
from ..local import Listen
from ..pool import Cast
from .client.changes import LOOK, Changes
from .client.client import NO_EVENTS, Remotely, remotely
from .connection import ServerError
from .ending import final_ending, heard_at_end, read_ending
from .host_record import Record, claim, read_record, write_record
from .place import checked_queue, id_of, is_remote
from .wire import Launch, Patience

LONGEST: Final = 10.0
"""Seconds for a server, and a worker that it asks, to return the status of a run."""
AWAY: Final = 60.0
"""Seconds without a server after which watching ends; the run is not affected."""


@frozen(kw_only=True)
class Server:
    """The server of new runs, and the host that executes them."""

    address: str
    namespace: str
    queue: str
    pool: str = ""
    apart: bool = False
    """True if the hosts of the pool have neither the project nor the folders of runs."""
    root: str
    """The project's folder on the host."""
    heartbeat: int = 10_000
    most_pages: int = 200


class TemporalEngine:
    """An engine that starts and watches runs. If watching ends, the run goes on."""

    def __init__(
        self,
        server: Server,
        known: Known,
        cast: Cast | None = None,
        listen: Listen = lambda _: None,
        tell: Callable[[str], None] = lambda _: None,
        waits: bool = True,
    ) -> None:
        self._server, self._known, self._cast = server, known, cast
        self._listen, self._tell, self._waits = listen, tell, waits

    async def go(self, run: str, spec: Spec) -> Ended:
        """Start or watch the run, until it ends or waits for the user. Raises ServerError."""
        try:
            return await self._gone(run, spec)
        except asyncio.CancelledError:
            return Ended(state=State.INTERRUPTED, text="the run continues in the background")

    def claim(self, run: str, spec: Spec) -> bool:
        """Record a new run in its folder. Returns False if the folder has a run already."""
        return not is_remote(run) and claim(run, self._record(run, spec))

    async def _gone(self, run: str, spec: Spec) -> Ended:
        self.claim(run, spec)
        record = read_record(run)
        if record.cancelled:
            return Ended(state=State.CANCELLED)
        ending = final_ending(run)
        if ending is not None and ending.heard.account.halt is not None:
            return Ended(state=State(ending.heard.account.halt), text=ending.text)
        remote = await remotely(record)
        try:
            halt = await remote.halt()
        except LookupError:
            await remote.begin(self._launch(record))
            return await self._watched(run, remote, since=0)
        if halt is not Event.STOPPED:
            heard = await remote.heard(NO_EVENTS)
            return await self._watched(run, remote, heard.count if heard else 0)
        again = await remote.again() or self._launch(record)
        await remote.begin(again)
        return await self._watched(run, remote, again.heard)

    async def _watched(self, run: str, remote: Remotely, since: int) -> Ended:
        """Report the events after the first `since`, until the run ends or waits for the user."""
        count, warned, now, changes = since, False, asyncio.get_running_loop().time, Changes(remote)
        last = now()
        while True:
            try:
                halt = await remote.halt()
                ended = None if halt is None else heard_at_end(run, halt, count)
                heard = ended or await remote.heard(count)
                if heard is not None:
                    count = heard.count
                    for entry in heard.entries:
                        self._listen(entry)
                if halt is not None:
                    return Ended(state=State(halt), text=await remote.last_words())
                if heard is None and not warned:
                    self._tell(remote.silence)
                    warned = True
                if heard is not None and heard.account.questions and not self._is_played:
                    return Ended(state=State.WAITING, text=heard.account.questions[0].text)
                last = now()
            except LookupError:
                return Ended(state=State.INTERRUPTED, text="the server no longer knows the run")
            except ServerError:
                if now() - last > AWAY:
                    raise
            await changes.wait()

    @property
    def _is_played(self) -> bool:
        return self._cast is not None and self._cast.user is not None

    def _record(self, run: str, spec: Spec) -> Record:
        server = self._server
        return Record(
            id=id_of(server.queue, run),
            queue=server.queue,
            pool=server.pool and checked_queue(server.pool),
            apart=server.apart,
            root=os.path.abspath(server.root),
            spec=spec,
            address=server.address,
            namespace=server.namespace,
        )

    def _launch(self, record: Record) -> Launch:
        seconds = self._cast.seconds if self._cast is not None and self._cast.seconds else record.spec.seconds
        backoff = self._cast.backoff if self._cast is not None else BACKOFF
        return Launch(
            spec=record.spec,
            graphs=self._known.graphs,
            queue=record.queue,
            pool=record.pool,
            patience=Patience(
                attempts=record.spec.attempts,
                attempt=round(seconds * 1000),
                backoff=round(backoff * 1000),
                heartbeat=self._server.heartbeat,
                waits=self._waits,
            ),
            played=self._is_played,
            most_pages=self._server.most_pages,
        )


async def standings(runs: Iterable[str]) -> tuple[Standing, ...]:
    """Return the status of runs; their servers are asked at the same time."""
    return tuple(await asyncio.gather(*map(standing, runs)))


async def standing(run: str) -> Standing:
    """Return the status of a run; UNKNOWN if its server does not answer in time. A final end needs no server."""
    record, ending = read_record(run), read_ending(run)
    if record.cancelled:
        return standing_of(run, record.spec, RunProjection(halt=Event.CANCELLED), State.CANCELLED)
    if ending is not None and ending.heard.account.halt in FINAL:
        return standing_of(run, record.spec, ending.heard.account, State.UNKNOWN)
    try:
        async with asyncio.timeout(LONGEST):
            remote = await remotely(record)
            account = await remote.account()
    except TimeoutError:
        text = f"the server {record.address} did not return the status of the run within {LONGEST:g} seconds"
        return standing_of(run, record.spec, RunProjection(text=text), State.UNKNOWN)
    except ServerError as error:
        return standing_of(run, record.spec, RunProjection(text=str(error)), State.UNKNOWN)
    except LookupError:
        if ending is not None:
            return standing_of(run, record.spec, ending.heard.account, State.UNKNOWN)
        text = "the server has no such run; `stepscript resume` starts it"
        return standing_of(run, record.spec, RunProjection(text=text), State.INTERRUPTED)
    if account is None:
        return standing_of(run, record.spec, RunProjection(text=remote.silence), State.INTERRUPTED)
    return standing_of(run, record.spec, account, State.WAITING if account.questions else State.AT_WORK)


async def events(run: str) -> tuple[Entry, ...]:
    """Return the latest events of a run: from its folder if it has ended or is not served. Raises ServerError."""
    ending = final_ending(run)
    if ending is not None:
        return ending.heard.entries
    try:
        remote = await remotely(read_record(run))
        heard = await remote.heard(0)
        if heard is None:
            raise ServerError(remote.silence)
    except ServerError:
        ending = read_ending(run)
        if ending is None:
            raise
        return ending.heard.entries
    return heard.entries


async def answer(run: str, key: str, response: UserResponse) -> None:
    """Send the user's answers to a run, which then goes on by itself. Raises ServerError, ValueError."""
    await (await remotely(read_record(run))).answer(key, render(response))


async def cancel(run: str, wait: float = 15.0) -> None:
    """End a run for good.

    Raises:
        ValueError: If it has ended by itself, before or meanwhile.
        ServerError: If it has not ended in time.
    """
    record = read_record(run)
    remote = await remotely(record)
    halt = Event.CANCELLED if record.cancelled else await _halt(remote)
    if halt is Event.CANCELLED:
        raise ValueError("the run has ended: it is cancelled")
    if halt is None:
        await remote.cancel()
        halt = await _ended_within(remote, wait)
    if halt is None and await remote.is_served():
        raise ServerError(
            f"the run is asked to end, but its agents were still at work after {wait:g} seconds; see its end with "
            "`stepscript status`"
        )
    if halt is None:
        raise ServerError(f"the run ends when a worker starts. {remote.silence}")
    if halt is Event.DONE:
        raise ValueError("the run has ended: it is done")
    write_record(run, evolve(record, cancelled=True))


async def _ended_within(remote: Remotely, seconds: float) -> Event | None:
    """Return the end of a run; None if it has not ended in time."""
    for _ in range(round(seconds / LOOK)):
        halt = await _halt(remote)
        if halt is not None:
            return halt
        await asyncio.sleep(LOOK)
    return None


async def _halt(remote: Remotely) -> Event | None:
    try:
        return await remote.halt()
    except LookupError:
        raise ValueError("the run has not started") from None
