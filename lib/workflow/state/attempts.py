"""Attempts of an agent: what is written for one that has been given up is refused.

Who launches an agent puts `FILE=TOKEN` into its environment, and the token into the file. A later attempt changes the
token, and the end of the work empties the file; an agent that nobody waits for any more changes nothing then.
"""

import os
from typing import Final

from ..errors import RefusedError
from .locks import NO_FOLLOW

VARIABLE: Final = "STEPSCRIPT_ATTEMPT"
LONGEST: Final = 200
"""Characters of a token."""


def check_attempt() -> None:
    """Raises RefusedError where this process belongs to an attempt that has been given up."""
    file, mark, token = os.environ.get(VARIABLE, "").rpartition("=")
    if not mark:
        return
    try:
        with open(file, encoding="utf-8") as stream:
            if token and stream.read(LONGEST) == token:
                return
    except (OSError, ValueError):
        pass
    fix = "Stop: the work was given to another agent, or is done; what you would write is not wanted any more."
    raise RefusedError("stale-attempt", token, "nobody waits for this attempt", fix)


def variable(file: str, token: str) -> str:
    """The value of the environment's variable."""
    return f"{file}={token}"


def admit(file: str, token: str) -> None:
    """Makes the token the one that is valid, and every earlier one stale."""
    handle = os.open(f"{file}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | NO_FOLLOW, 0o600)
    with open(handle, "w", encoding="utf-8") as stream:
        stream.write(token)
    os.replace(f"{file}.new", file)


def close(file: str) -> None:
    """Makes every token stale.

    The file stays: where many go within seconds, ext4 passes them all over for each new one (`recently_deleted`).
    """
    if os.path.exists(file):
        os.truncate(file, 0)
