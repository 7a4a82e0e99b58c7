"""Text as Markdown that shows it as it was written: nothing in it becomes a heading, a list, a link or HTML.

Code spans stay code, since that is what backticks are written for. Rules: CommonMark 0.31, and GitHub's tables, task
lists and strike-through.
"""

import re
from collections.abc import Iterator
from typing import Final

from ..util.characters import LINE_ENDS
from .markdown import fenced

LINES: Final = re.compile(f"[\n{LINE_ENDS}]")
LAID_OUT: Final = re.compile("(?m)^(?:[ \t]|```|~~~)")
"""How a line begins that is no prose: indented, or a fence."""
TICKS: Final = re.compile("`+")
"""What opens a code span, and what closes one if it is as long."""
ACTIVE: Final = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|$)"  # escapes what follows, or breaks the line
    r"|[`~|]"
    r"|(?<!\s)\*|\*(?!\s|$)"
    r"|(?<![^\W_])_|_(?![^\W_])"
    r"|(?<=\])[(\[:]"  # makes a link of the brackets before it
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=[#A-Za-z])"
)
FIRST: Final = re.compile(r"#{1,6}(?!\S)|[-+*=](?!\S)|>|[-=:*_|]++(?=[-=:*_|\s]*$)|\[(?=[ xX]\](?!\S))")
"""What begins a block where it begins a line."""
CLOSING: Final = re.compile(r"(?<!\S)#+$")
"""What closes a heading, and is not shown."""
NUMBER: Final = re.compile(r"(\d{1,9})([.)])(?!\S)")
"""What begins a numbered list."""


def literal(text: str) -> str:
    """The text as paragraphs, its lines kept; in a fence where it is laid out by blanks or holds a fence."""
    lines = [line.rstrip() for line in LINES.split(text)]
    if LAID_OUT.search("\n".join(lines)):
        return fenced("\n".join(lines), "text")
    shown = [_line(line) for line in lines]
    broken = (f"{line}\\" if line and after else line for line, after in zip(shown, [*shown[1:], ""], strict=True))
    return re.sub("\n{3,}", "\n\n", "\n".join(broken)).strip("\n")


def in_line(text: str) -> str:
    """The text within one line, as of a heading: its lines with a blank between."""
    return CLOSING.sub(r"\\\g<0>", _line(" ".join(text.split())))


def _spans(line: str) -> Iterator[tuple[int, int]]:
    """Where the code spans of a line begin and end: from backticks to the next ones that are as many."""
    runs = [ticks.span() for ticks in TICKS.finditer(line)]
    closing: dict[int, int] = {}
    """The end of the next run, by the length of runs; looked at from the end of the line."""
    ends: list[int | None] = []
    for start, stop in reversed(runs):
        ends.append(closing.get(stop - start))
        closing[stop - start] = stop
    after = 0
    for (start, _), end in zip(runs, reversed(ends), strict=True):
        if end is not None and start >= after:
            yield start, end
            after = end


def _line(line: str) -> str:
    """One line, wherever it stands in a block."""
    parts, end = list[str](), 0
    for start, stop in _spans(line):
        parts += (ACTIVE.sub(r"\\\g<0>", line[end:start]), line[start:stop])
        end = stop
    shown = "".join([*parts, ACTIVE.sub(r"\\\g<0>", line[end:])])
    number = NUMBER.match(line)
    if number is not None:
        return f"{number[1]}\\{shown[number.end(1) :]}"
    return f"\\{shown}" if FIRST.match(line) and not shown.startswith("\\") else shown
