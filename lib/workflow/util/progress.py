"""Progress of a step that takes long: lines on standard error, for people, and for programs that wait for the step.

Each line says how long the step may go on without another one. A program that waits takes the step for dead after that.
"""

import re
from typing import Final, NamedTuple

from . import output
from .characters import on_a_screen

LONGEST: Final = 3600
"""Seconds that one line can ask for."""
LONGEST_TEXT: Final = 160
"""Characters of what a line says."""
_LINE: Final = re.compile(r"\[at most (\d{1,6}) s\] (.*)")


class Progress(NamedTuple):
    """What a step does now, and how long it may take at most."""

    text: str
    seconds: int


def say(progress: Progress) -> None:
    """Write a line of progress. Nobody may read it, so that it cannot be written is no error."""
    text = on_a_screen(progress.text)[:LONGEST_TEXT]
    output.say(f"[at most {progress.seconds} s] {text}")


def read_progress(line: str) -> Progress | None:
    """Read a line of standard error. Returns None for one that is no progress."""
    found = _LINE.fullmatch(line)
    return Progress(found[2], min(int(found[1]), LONGEST)) if found else None
