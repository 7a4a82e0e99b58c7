"""Changes of a run on a Temporal server, without polling: the server answers when its history grows."""

import asyncio
from datetime import timedelta
from typing import Final

from temporalio.client import WorkflowHistoryEventAsyncIterator
from temporalio.service import RPCError

from ..connection import ServerError
from ..host_record import read_record
from .client import Remotely, remotely

LOOK: Final = 0.3
"""Minimum seconds between two checks of a run."""
AWAY: Final = 5.0
"""Seconds before the next attempt to reach a server."""
LONGEST: Final = timedelta(seconds=60)
"""Timeout of a request that waits; a server answers after about 20 seconds."""


class Changes:
    """The changes of one run."""

    def __init__(self, remote: Remotely) -> None:
        self._remote = remote
        self._events: WorkflowHistoryEventAsyncIterator | None = None

    async def wait(self) -> None:
        """Return after a change, after about 20 seconds without one, or if the server does not answer."""
        if self._events is None:
            self._events = self._remote.handle.fetch_history_events(wait_new_event=True, rpc_timeout=LONGEST)
        try:
            await self._events.fetch_next_page()
        except RPCError:
            self._events = None
        else:
            if self._events.next_page_token is None:  # this history has ended; the run may continue in a new one
                self._events = None
                return
        await asyncio.sleep(LOOK)


async def change(run: str, changes: Changes | None) -> Changes | None:
    """Return after a change of the run in a folder, and the changes to pass the next time.

    The first time it returns at once. If the server does not answer, it returns None after a while.
    """
    try:
        changes = changes or Changes(await remotely(read_record(run)))
    except ServerError:
        await asyncio.sleep(AWAY)
        return None
    await changes.wait()
    return changes
