"""Attempts of an agent: writes of an abandoned attempt are refused.

The launcher of an agent puts `FILE=TOKEN` into its environment, and the token into the file. A later attempt changes
the token, and the end of the work empties the file; an abandoned agent can then change nothing.
"""

import os
from typing import Final

from ..errors import RefusedError
from .locks import NO_FOLLOW

VARIABLE: Final = "STEPSCRIPT_ATTEMPT"
LONGEST: Final = 200
"""Maximum characters of a token."""


def check_attempt() -> None:
    """Check that this process belongs to the current attempt. Raises RefusedError if not."""
    file, mark, token = os.environ.get(VARIABLE, "").rpartition("=")
    if not mark:
        return
    try:
        with open(file, encoding="utf-8") as stream:
            if token and stream.read(LONGEST) == token:
                return
    except (OSError, ValueError):
        pass
    fix = "Stop, and write nothing more: the work is done, or another agent has it."
    raise RefusedError("stale-attempt", token, "this attempt is over", fix)


def variable(file: str, token: str) -> str:
    """Return the value of the environment variable."""
    return f"{file}={token}"


def admit(file: str, token: str) -> None:
    """Make the token the only valid one."""
    handle = os.open(f"{file}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | NO_FOLLOW, 0o600)
    with open(handle, "w", encoding="utf-8") as stream:
        stream.write(token)
    os.replace(f"{file}.new", file)


def close(file: str) -> None:
    """Make every token stale.

    The file stays, because ext4 slows down if many files are deleted within seconds (`recently_deleted`).
    """
    if os.path.exists(file):
        os.truncate(file, 0)
