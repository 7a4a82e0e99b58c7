"""The folders in which the steps and agents of a run work."""

import asyncio
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")


class Lent(NamedTuple):
    """The folder of an agent."""

    folder: str | None = None
    """None for that of the run."""
    environment: Mapping[str, str] = MappingProxyType({})
    """Variables that name it for our commands."""


HERE: Final = Lent()


class Workplace:
    """The current folder, for all of them."""

    is_shared = True
    """False if each launched agent has a folder of its own."""

    def prepare(self) -> None:
        """Make the folder of the run, before anything works in it. Raises RefusedError if that fails."""

    def lend(self, key: str) -> Lent:
        """Return the folder of a launched agent, by the key of its job. Raises RefusedError without one."""
        return HERE

    def give(self, key: str) -> None:
        """Take over the changes of a launched agent that has replied. Raises CrashError if they do not fit."""

    def finish(self) -> None:
        """Bring the result of the run back, before its end is recorded. Raises RefusedError if that fails."""


async def in_thread(work: Callable[[], T]) -> T:
    """Run a method of a workplace in a thread. A cancellation waits for its end: no other driver may start before."""
    task = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.gather(task, return_exceptions=True)
        raise
