"""How a step's command is run: as a process, or in this one."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Final

from ..command import Command
from .activities import Printed

TIME: Final = 120.0
"""Seconds; a step that takes longer hangs."""


async def as_process(command: Command, given: str, cwd: str | None = None) -> Printed:
    """Runs it as a process, without a shell. What does not end is killed, and said to be an error."""
    process = await asyncio.create_subprocess_exec(
        *command.launcher,
        "-m",
        command.module,
        *command.words,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=cwd,
        env=os.environ,
    )
    try:
        async with asyncio.timeout(TIME):
            out, errors = await process.communicate(given.encode())
    except TimeoutError:
        process.kill()
        await process.wait()
        return Printed(-1, "", f"it was still running after {TIME:g} seconds")
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    return Printed(process.returncode or 0, out.decode(errors="replace"), errors.decode(errors="replace"))


def process_in(folder: str) -> Callable[[Command, str], Awaitable[Printed]]:
    """The same, in a folder."""

    async def run_step(command: Command, given: str) -> Printed:
        return await as_process(command, given, folder)

    return run_step


async def in_this_process(command: Command, given: str) -> Printed:
    """Runs it here: a hundred times as fast, one at a time."""
    from ..testing.inprocess import run_here

    return Printed(*run_here(command, given))
