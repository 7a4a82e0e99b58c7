"""The streams of a script, whatever they are connected to, and its exit status."""

import os
import sys
from contextlib import suppress
from typing import Final, NoReturn, TextIO

from .characters import visible

DONE, REFUSED, USAGE, WAITING, UNSAID, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""The exit statuses (law 11)."""
TRANSCRIPT: Final = "STEPSCRIPT_TRANSCRIPT"
"""The environment variable that names the file to which each script adds what it prints: that of an agent's attempt."""


class OutputError(OSError):
    """Standard output is closed, or has no room."""


def ready() -> None:
    """Prepare the standard streams: UTF-8 under any locale, and no file of ours under the number of a closed one."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # the next file that is opened would get the number, and with it what is meant for the stream
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the process lives
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def write(text: str) -> None:
    """Print a text and a newline.

    A reader that has gone away is no error. What a terminal would act on is shown as escapes there.

    Raises:
        OutputError: standard output is closed, or has no room.
    """
    if sys.stdout is None:
        raise OutputError("it is closed")
    try:
        sys.stdout.write(f"{on_a_terminal(text) if sys.stdout.isatty() else text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        drop(sys.stdout)
    except OSError as error:
        drop(sys.stdout)
        raise OutputError(error.strerror or str(error)) from None


def printed(text: str, status: int) -> int:
    """Print a text, and return the exit status: the one given, or UNSAID where nothing could be printed."""
    try:
        write(text)
    except OutputError as error:
        return unsaid(error)
    return status


def unsaid(error: OSError) -> int:
    """Say that standard output cannot be written, and return the exit status of that."""
    why = error.strerror or str(error)
    say(f"standard output cannot be written: {why}; the command may have done its work: look before you repeat it")
    return UNSAID


def say(text: str) -> None:
    """Print lines on standard error. Where it cannot be written they are lost, and nothing else changes."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{on_a_terminal(text)}\n")
        sys.stderr.flush()
    except OSError:
        drop(sys.stderr)


def on_a_terminal(text: str) -> str:
    """The text with escapes for all that a terminal would act on, newlines and tabs aside."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "\n".join(["\t".join(map(visible, line.split("\t"))) for line in text.split("\n")])


def leave(status: int) -> NoReturn:
    """End the process at once, when all was said: nothing runs that waits for the end of the interpreter."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.flush()
    os._exit(status)


def drop(stream: TextIO) -> None:
    """Send what is still to be flushed nowhere, so that leaving does not fail on it again."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
