"""Progress of a slow step: lines on standard error, for people and for programs that wait for the step.

Each line says how long the step may take until the next one. A program that waits takes the step for dead after that.
"""

import re
from typing import Final, NamedTuple

from . import output
from .characters import on_a_screen

LONGEST: Final = 3600
"""Maximum seconds that one line can ask for."""
LONGEST_TEXT: Final = 160
"""Maximum characters of a line's text."""
_LINE: Final = r"\[at most (\d{1,6}) s\] (.*)"


class Progress(NamedTuple):
    """A step's current activity and its maximum duration."""

    text: str
    seconds: int


def say(progress: Progress) -> None:
    """Write a line of progress. A failed write is not an error, because the line may have no reader."""
    text = on_a_screen(progress.text)[:LONGEST_TEXT]
    output.say(f"[at most {progress.seconds} s] {text}")


def read_progress(line: str) -> Progress | None:
    """Read a line of standard error. Returns None if it is not progress."""
    found = re.fullmatch(_LINE, line)
    return Progress(found[2], min(int(found[1]), LONGEST)) if found else None
