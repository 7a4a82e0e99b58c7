"""The door of an agent: a socket in a private folder through which its commands go to the run's host."""

import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

from ...driver.activities import Printed

VARIABLE: Final = "STEPSCRIPT_DOOR"
"""Variable with the path of the socket."""
LONGEST: Final = 8 << 20
"""Maximum bytes of a command with its standard input."""
LONGEST_PATH: Final = 90
"""Maximum bytes of the path of a socket; systems allow some more than 100."""
Answer = Callable[[tuple[str, ...], str], Awaitable[Printed]]
"""Function that has a command's words run, with a standard input."""


@asynccontextmanager
async def opened(answer: Answer) -> AsyncIterator[str]:
    """Serve commands, one after the other, and yield the path of the socket. Raises OSError."""
    folder = _folder()
    path, turn, tasks = os.path.join(folder, "s"), asyncio.Lock(), set[asyncio.Task[object]]()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await reply(reader, writer)
        finally:
            tasks.discard(task)
            writer.close()

    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            words, given = _read(await reader.readline())
            async with turn:
                printed = await answer(words, given)
        except ValueError as error:
            printed = Printed(2, "", f"the command cannot be sent to the run's host: {error}\n")
        with suppress(OSError):  # the program was ended
            writer.write(json.dumps([printed.status, printed.out, printed.errors]).encode())
            await writer.drain()

    try:
        server = await asyncio.start_unix_server(serve, path, limit=LONGEST)
        try:
            yield path
        finally:
            server.close()
            for task in tasks:  # of an agent that has ended
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _folder() -> str:
    """Return a new folder that only this user can enter, with a path that is short enough for a socket."""
    base = tempfile.gettempdir()
    short = base if len(os.fsencode(base)) <= LONGEST_PATH - 20 else "/tmp"  # noqa: S108 - mkdtemp makes a private folder
    return tempfile.mkdtemp(prefix="stepscript-", dir=short)


def _read(line: bytes) -> tuple[tuple[str, ...], str]:
    """Return the words and the standard input of a command. Raises ValueError."""
    found = json.loads(line or b"null")
    match found:
        case {"words": [*words], "given": str(given)} if words and all(isinstance(word, str) for word in words):
            return _texts(words), given
    raise ValueError("it is not a command")


def _texts(words: Sequence[object]) -> tuple[str, ...]:
    return tuple(map(str, words))
