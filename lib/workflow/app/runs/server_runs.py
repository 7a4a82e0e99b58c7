"""Requests to runs on a Temporal server. Each opens a connection and closes it."""

import asyncio
from collections.abc import Iterator, Sequence

from ...ast.relay import UserResponse
from ...run.journal.journal import Entry
from ...run.journal.status import Standing
from ...run.temporal import engine
from ...run.temporal.client.changes import Changes, change


def standing(run: str) -> Standing:
    """Return the status of a run. Raises ServerError if it cannot be determined."""
    return asyncio.run(engine.standing(run))


def standings(runs: Sequence[str]) -> tuple[Standing, ...]:
    """Return the status of runs, asked at the same time. If it cannot be determined, it is UNKNOWN."""
    return asyncio.run(engine.standings(runs))


def changes(run: str) -> Iterator[None]:
    """Yield after each change of a run, and at times without one. The server is not asked between."""
    last: Changes | None = None
    with asyncio.Runner() as runner:
        while True:
            last = runner.run(change(run, last))
            yield


def events(run: str) -> Sequence[Entry]:
    """Return the latest events of a run."""
    return asyncio.run(engine.events(run))


def answer(run: str, key: str, response: UserResponse) -> None:
    """Send the user's answers to a run."""
    asyncio.run(engine.answer(run, key, response))


def cancel(run: str) -> None:
    """End a run for good."""
    asyncio.run(engine.cancel(run))
