"""Attempts of an agent: writes of an abandoned attempt are refused.

The launcher of an agent puts `FILE=TOKEN` into its environment, and the token into the file. A later attempt changes
the token, and the end of the work removes it; an abandoned agent can then change nothing.
"""

import os
from typing import Final

from ..errors import RefusedError
from .locks import NO_FOLLOW

VARIABLE: Final = "STEPSCRIPT_ATTEMPT"
SIZE: Final = 256
"""Bytes of a file with a token; a longer token is never valid."""


def check_attempt() -> None:
    """Check that this process belongs to the current attempt. Raises RefusedError if not."""
    file, mark, token = os.environ.get(VARIABLE, "").rpartition("=")
    if not mark:
        return
    try:
        if token and current(file) == token:
            return
    except (OSError, ValueError):
        pass
    fix = "Stop, and write nothing more: the work is done, or another agent has it."
    raise RefusedError("stale-attempt", token, "this attempt is over", fix)


def variable(file: str, token: str) -> str:
    """Return the value of the environment variable."""
    return f"{file}={token}"


def current(file: str) -> str:
    """Return the only valid token, empty if there is none. Raises OSError, ValueError if the file cannot be read."""
    with open(file, encoding="utf-8") as stream:
        token, end, _ = stream.read(SIZE).partition("\n")
    return token if end else ""


def admit(file: str, token: str) -> None:
    """Make the token the only valid one."""
    _write(file, f"{token}\n")


def close(file: str) -> None:
    """Make every token stale."""
    if os.path.exists(file):
        _write(file, "")


def _write(file: str, text: str) -> None:
    """Write over the whole file at once, which takes much less time than a new file or another size."""
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | NO_FOLLOW, 0o600)
    try:
        os.pwrite(handle, text.ljust(SIZE).encode(), 0)
    finally:
        os.close(handle)
