"""The program that pages of an agent name: it sends a command to the agent's worker, and prints what that answers.

It imports nothing of the project, so that it starts fast.
"""

import json
import os
import select
import socket
import sys

PATIENCE = 5.0
"""Seconds to wait for the first byte of a standard input that nobody may ever close."""
LONGEST = 6 << 20
"""Maximum bytes of standard input."""
OURS = "lib.workflow."
"""Programs of the library itself, such as a client's permission hook, which run here."""


def main() -> int:
    """Send the command, and return its exit status."""
    words = sys.argv[1:]
    if len(words) < 2 or words[0] != "-m":
        return _failed("write the command as the page prints it", 2)
    if words[1].startswith(OURS):
        os.environ.pop("WORKFLOW_PYTHON", None)
        os.execv(sys.executable, [sys.executable, "-I", *words])  # noqa: S606 - words are data, no shell reads them
    try:
        given = _input()
    except OSError as error:
        return _failed(f"standard input cannot be read: {error.strerror}", 2)
    if len(given) > LONGEST:
        return _failed(f"standard input holds more than {LONGEST:,} bytes", 2)
    message = {"words": words[1:], "given": given.decode(errors="surrogateescape")}
    try:
        status, out, errors = json.loads(_answer(json.dumps(message).encode() + b"\n"))
    except (OSError, ValueError, KeyError):
        return _failed("the worker of this agent has ended: stop, and write nothing more", 1)
    sys.stdout.buffer.write(out.encode(errors="surrogateescape"))
    sys.stderr.buffer.write(errors.encode(errors="surrogateescape"))
    sys.stdout.flush()
    return int(status) & 0xFF


def _input() -> bytes:
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    if not select.select([sys.stdin], [], [], PATIENCE)[0]:
        return b""
    return sys.stdin.buffer.read(LONGEST + 1)


def _answer(message: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(os.environ["STEPSCRIPT_DOOR"])
        door.sendall(message)
        parts = []
        while part := door.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


def _failed(why: str, status: int) -> int:
    print(why, file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
