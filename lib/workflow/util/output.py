"""A script's standard streams, for any kind of connection, and its exit status."""

import os
import re
import sys
from contextlib import suppress
from typing import Final, TextIO

from .characters import visible

DONE, REFUSED, USAGE, WAITING, UNSAID, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""Exit statuses (law 11)."""
TRANSCRIPT: Final = "STEPSCRIPT_TRANSCRIPT"
"""Environment variable with the transcript of an agent's attempt, to which each script adds its output."""


class OutputError(OSError):
    """Raised if standard output is closed or full."""


def ready() -> None:
    """Prepare the standard streams: UTF-8 under any locale, and no file of ours under the number of a closed one."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # the next opened file would get the number and the stream's output
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the process lives
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def write(text: str) -> None:
    """Print a text and a newline.

    A closed pipe is not an error. On a terminal, control characters are escaped.

    Raises:
        OutputError: If standard output is closed or full.
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
    """Print a text, and return the given exit status, or UNSAID if the text could not be printed."""
    try:
        write(text)
    except OutputError as error:
        return unsaid(error)
    return status


def unsaid(error: OSError) -> int:
    """Report that standard output cannot be written, and return the exit status for that."""
    why = error.strerror or str(error)
    say(f"standard output cannot be written: {why}; the command may have done its work: check before you repeat it")
    return UNSAID


def redacted(text: str) -> str:
    """Return an error without the passwords of database URLs: it may quote a command line."""
    if "postgres" not in text:
        return text

    text = re.sub(r"(postgres(?:ql)?://[^\s:@/]{0,64}):\S{0,256}@", r"\1:…@", text)
    return re.sub(r"(pass(?:word)?=)[^\s&#']{1,256}", r"\1…", text)


def say(text: str) -> None:
    """Print lines on standard error. If it cannot be written, the lines are lost."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{on_a_terminal(text)}\n")
        sys.stderr.flush()
    except OSError:
        drop(sys.stderr)


def on_a_terminal(text: str) -> str:
    """Escape everything that a terminal would act on, except newlines and tabs."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "\n".join(["\t".join(map(visible, line.split("\t"))) for line in text.split("\n")])


def drop(stream: TextIO) -> None:
    """Discard unflushed output, so that leaving does not fail on it again."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
