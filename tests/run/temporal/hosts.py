"""Hosts of their own for processes: namespaces of users, mounts, networks and processes, if the system has them.

As a program it starts the words of a process without some folders: `PORT SOCKET HIDDEN… -- WORDS…`. The network of the
host is its own: connections to the port go through the socket to the same port of the network outside, where the
program with `PORT SOCKET` alone passes them on.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from functools import cache
from typing import TypeAlias

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
UNSHARE = ("unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--fork", "--kill-child")
Streams: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@cache
def can_isolate() -> bool:
    """Return True if processes of this user may get a host of their own."""
    tools = all(map(shutil.which, ("unshare", "mount", "ip")))
    return tools and subprocess.run((*UNSHARE, "true"), check=False, capture_output=True).returncode == 0


def words_on_a_host(words: tuple[str, ...], port: int, socket: str, hidden: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words that start a process on a host of its own, without some folders; else the same words."""
    if not can_isolate():
        return words
    return (*UNSHARE, sys.executable, "-m", __name__, str(port), socket, *hidden, "--", *words)


def relay(port: int, socket: str) -> "subprocess.Popen[bytes]":
    """Start the process that brings what connects to the socket to the port."""
    process = subprocess.Popen((sys.executable, "-m", __name__, str(port), socket), cwd=ROOT)
    while not os.path.exists(socket):
        assert process.poll() is None
        time.sleep(0.02)
    return process


async def _outside(port: int, socket: str) -> None:
    server = await asyncio.start_unix_server(_to(lambda: asyncio.open_connection("127.0.0.1", port)), socket)
    async with server:
        await server.serve_forever()


def _to(connect: Callable[[], Coroutine[object, object, Streams]]) -> Callable[..., Coroutine[object, object, None]]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        other, to_other = await connect()
        await asyncio.gather(_pump(reader, to_other), _pump(other, writer), return_exceptions=True)

    return serve


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    finally:
        writer.close()


async def _inside(port: int, socket: str, words: list[str]) -> int:
    server = await asyncio.start_server(_to(lambda: asyncio.open_unix_connection(socket)), "127.0.0.1", port)
    async with server:
        process = await asyncio.create_subprocess_exec(*words)
        return await process.wait()


def main() -> int:
    """Set up the host, and run the process there to its end; or pass on connections from it."""
    if "--" not in sys.argv:
        asyncio.run(_outside(int(sys.argv[1]), sys.argv[2]))
    at = sys.argv.index("--")
    port, socket, *hidden = sys.argv[1:at]
    for folder in hidden:
        subprocess.run(("mount", "-t", "tmpfs", "none", folder), check=True)
        assert not os.listdir(folder)
    subprocess.run(("ip", "link", "set", "lo", "up"), check=True)
    return asyncio.run(_inside(int(port), socket, sys.argv[at + 1 :]))


if __name__ == "__main__":
    sys.exit(main())
