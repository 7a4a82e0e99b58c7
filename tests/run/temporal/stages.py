"""The Temporal engine, for runs in this process: a server, and a worker."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from attrs import field, mutable

from lib.workflow.run import answers as answering
from lib.workflow.run.engine import Spec
from lib.workflow.run.graphs import Pinned, graphs_of
from lib.workflow.run.journal.status import Standing
from lib.workflow.run.pool import Cast
from lib.workflow.run.temporal import engine as temporal
from lib.workflow.run.temporal.connection import connected
from lib.workflow.run.temporal.host.host import Host
from lib.workflow.run.temporal.wire import Patience
from lib.workflow.run.temporal.worker import serve
from tests.run.engines import Play
from tests.run.runs import KNOWN

WORKFLOWS = tuple(KNOWN.workflows.values())
PATIENCE = Patience(attempts=3, attempt=60_000, backoff=10, heartbeat=10_000)
DIGESTS = Pinned(graphs_of(WORKFLOWS)).digests


@mutable
class Remotely:
    """A Temporal server, and a worker in this process."""

    address: str
    queue: str
    plays: dict[str, Play] = field(factory=dict)
    heartbeat: int = 10_000
    pool: str = ""

    def engine(self, play: Play) -> temporal.TemporalEngine:
        self.plays[play.run] = play
        server = temporal.Server(
            address=self.address,
            namespace="default",
            queue=self.queue,
            pool=self.pool,
            root="/",
            heartbeat=self.heartbeat,
            most_pages=play.most_pages,
        )
        return temporal.TemporalEngine(server, KNOWN, play.cast, play.events.append)

    async def stand(self, play: Play) -> Standing:
        return await temporal.standing(play.run)

    async def answer(self, play: Play, answers: Sequence[str]) -> None:
        key, said = answering.response((await self.stand(play)).account, answers)
        await temporal.answer(play.run, key, said)

    def host(self) -> Host:
        """Return a host that knows the casts of the plays by their first commands."""
        return Host(lambda _, record: self._cast(record.spec), KNOWN, lambda: DIGESTS)

    def _cast(self, spec: Spec) -> Cast:
        return next(play.cast for play in self.plays.values() if play.spec == spec)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Run a worker during the block."""
        until = asyncio.Event()
        client = await connected(self.address, "default")
        working = asyncio.ensure_future(serve(client, self.queue, self.host(), until))
        try:
            yield
        finally:
            until.set()
            await working
