"""A wait for the end of a program without a thread."""

import asyncio
import os
import sys
from typing import Final

from ...util import processes
from ...util.processes import Process

LOOK: Final = 0.02
"""Seconds between two checks on systems without process descriptors."""


async def over(process: Process) -> None:
    """Wait until a program has ended. It is not reaped, so its group keeps its number.

    asyncio's own processes need a thread, a transport and a protocol each, which take longer than the start itself.
    """
    handle = _handle(process)
    if handle is None:
        while not processes.has_ended(process):
            await asyncio.sleep(LOOK)
        return
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()

    def tell() -> None:
        loop.remove_reader(handle)
        ended.set_result(None)

    loop.add_reader(handle, tell)
    try:
        await ended
    finally:
        loop.remove_reader(handle)
        os.close(handle)


def _handle(process: Process) -> int | None:
    """Return a process descriptor, or None if the system has none or refuses it."""
    if sys.platform != "linux":
        return None
    try:
        return os.pidfd_open(process.pid)
    except OSError:
        return None
