"""The end of a program, waited for without a thread where the system tells of it by a file descriptor."""

import asyncio
import os
import subprocess
import sys
from typing import TypeAlias

Process: TypeAlias = "subprocess.Popen[bytes]"


async def over(process: Process) -> int:
    """The exit status of a program, when it has ended.

    asyncio's own processes bring a thread, a transport and a protocol each, which take longer than the start itself.
    """
    handle = _handle(process)
    if handle is None:
        return await asyncio.to_thread(process.wait)
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
    return process.wait()


def _handle(process: Process) -> int | None:
    """None on a system that has no such thing, or does not let us."""
    if sys.platform != "linux":
        return None
    try:
        return os.pidfd_open(process.pid)
    except OSError:
        return None
