"""Hosts of their own for processes: namespaces of users, mounts, networks and processes, if the system has them.

As a program it starts the words of a process without some folders: `PORT=SOCKET… HIDDEN… -- WORDS…`. The network of the
host is its own: connections to a port go through its socket to the same port of the network outside, where the program
with `PORT=SOCKET…` alone passes them on.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Mapping
from functools import cache, partial
from typing import TypeAlias

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
UNSHARE = ("unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--fork", "--kill-child")
Sockets: TypeAlias = Mapping[int, str]
"""Ports of the network outside, and the socket of each."""
Streams: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@cache
def can_isolate() -> bool:
    """Return True if processes of this user may get a host of their own."""
    tools = all(map(shutil.which, ("unshare", "mount", "ip")))
    return tools and subprocess.run((*UNSHARE, "true"), check=False, capture_output=True).returncode == 0


def words_on_a_host(words: tuple[str, ...], sockets: Sockets, hidden: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words that start a process on a host of its own, without some folders; else the same words."""
    if not can_isolate():
        return words
    return (*UNSHARE, sys.executable, "-m", __name__, *_pairs(sockets), *hidden, "--", *words)


def relay(sockets: Sockets) -> "subprocess.Popen[bytes]":
    """Start the process that brings what connects to a socket to its port."""
    process = subprocess.Popen((sys.executable, "-m", __name__, *_pairs(sockets)), cwd=ROOT)
    while not all(map(os.path.exists, sockets.values())):
        assert process.poll() is None
        time.sleep(0.02)
    return process


def _pairs(sockets: Sockets) -> list[str]:
    return [f"{port}={socket}" for port, socket in sockets.items()]


async def _outside(sockets: Sockets) -> None:
    for port, socket in sockets.items():
        await asyncio.start_unix_server(_to(partial(asyncio.open_connection, "127.0.0.1", port)), socket)
    await asyncio.Event().wait()


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


async def _inside(sockets: Sockets, words: list[str]) -> int:
    for port, socket in sockets.items():
        await asyncio.start_server(_to(partial(asyncio.open_unix_connection, socket)), "127.0.0.1", port)
    process = await asyncio.create_subprocess_exec(*words)
    return await process.wait()


def main() -> int:
    """Set up the host, and run the process there to its end; or pass on connections from it."""
    at = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    pairs = [word.partition("=") for word in sys.argv[1:at] if not word.startswith("/")]
    sockets = {int(port): socket for port, _, socket in pairs}
    if at == len(sys.argv):
        asyncio.run(_outside(sockets))
    for folder in (word for word in sys.argv[1:at] if word.startswith("/")):
        subprocess.run(("mount", "-t", "tmpfs", "none", folder), check=True)
        assert not os.listdir(folder)
    subprocess.run(("ip", "link", "set", "lo", "up"), check=True)
    return asyncio.run(_inside(sockets, sys.argv[at + 1 :]))


if __name__ == "__main__":
    sys.exit(main())
