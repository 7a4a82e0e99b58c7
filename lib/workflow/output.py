"""The way out of a script: its exit status, and standard output, whatever the locale and whoever reads it."""

import os
import sys
from contextlib import suppress
from typing import Final, NoReturn

DONE, REFUSED, USAGE, WAITING, INTERRUPTED = 0, 1, 2, 3, 130
"""The exit statuses (law 11)."""
TRANSCRIPT: Final = "STEPSCRIPT_TRANSCRIPT"
"""The environment variable that names the file to which each script adds what it prints: that of an agent's attempt."""


def use_utf_8() -> None:
    """Makes both standard streams UTF-8: what is printed is text of any language, under any locale."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


class OutputError(OSError):
    """Standard output is closed, or has no room."""


def write(text: str) -> None:
    """Prints a text and a newline. A reader that has gone away is no error; any other failure raises OutputError."""
    if sys.stdout is None:
        raise OutputError("it is closed")
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        drop()
    except OSError as error:
        drop()
        raise OutputError(str(error)) from None


def leave(status: int) -> NoReturn:
    """Ends the process at once, when all was said: nothing runs that waits for the end of the interpreter."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.flush()
    os._exit(status)


def drop() -> None:
    """Sends what is still to be flushed nowhere, so that leaving does not fail on it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
