"""Literal text in Markdown: nothing in it becomes a heading, a list, a link or HTML.

Code spans stay code, because that is the purpose of backticks. Rules: CommonMark 0.31, and GitHub's tables, task lists
and strike-through.
"""

import re
from collections.abc import Iterator
from typing import Final

from ..util.characters import LINE_ENDS
from .markdown import fenced

LINES: Final = re.compile(f"[\n{LINE_ENDS}]")
LAID_OUT: Final = re.compile("(?m)^(?:[ \t]|```|~~~)")
"""Pattern of the start of a line that is not prose: indentation or a fence."""
TICKS: Final = re.compile("`+")
"""Pattern of backticks that open a code span; a run of the same length closes it."""
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
"""Pattern of a block marker at the start of a line."""
CLOSING: Final = re.compile(r"(?<!\S)#+$")
"""Pattern of the hidden closing marks of a heading."""
DEFINES: Final = "]:"
"""The end of the label in a definition of a link, which a reader does not see."""
NUMBER: Final = re.compile(r"(\d{1,9})([.)])(?!\S)")
"""Pattern of the start of a numbered list."""


def literal(text: str) -> str:
    """Return the text as paragraphs with its line breaks; in a fence if it is laid out by blanks or holds a fence."""
    lines = [line.rstrip() for line in LINES.split(text)]
    if LAID_OUT.search("\n".join(lines)):
        return fenced("\n".join(lines), "text")
    defines = DEFINES in text
    shown = [_line(line, defines) for line in lines]
    broken = (f"{line}\\" if line and after else line for line, after in zip(shown, [*shown[1:], ""], strict=True))
    return re.sub("\n{3,}", "\n\n", "\n".join(broken)).strip("\n")


def in_line(text: str) -> str:
    """Return the text on one line, for example for a heading."""
    return CLOSING.sub(r"\\\g<0>", _line(" ".join(text.split()), DEFINES in text))


def _spans(line: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each code span: from backticks to the next run of the same length."""
    runs = [ticks.span() for ticks in TICKS.finditer(line)]
    closing: dict[int, int] = {}
    """End of the next run, by length of runs; filled from the end of the line."""
    ends: list[int | None] = []
    for start, stop in reversed(runs):
        ends.append(closing.get(stop - start))
        closing[stop - start] = stop
    after = 0
    for (start, _), end in zip(runs, reversed(ends), strict=True):
        if end is not None and start >= after:
            yield start, end
            after = end


def _line(line: str, defines: bool) -> str:
    """Escape one line, at any position in a block.

    With `defines`, a bracket at its start could begin the definition of a link, whose label goes through code spans.
    """
    parts, end = list[str](), 0
    for start, stop in _spans(line):
        parts += (ACTIVE.sub(r"\\\g<0>", line[end:start]), line[start:stop])
        end = stop
    shown = "".join([*parts, ACTIVE.sub(r"\\\g<0>", line[end:])])
    number = NUMBER.match(line)
    if number is not None:
        return f"{number[1]}\\{shown[number.end(1) :]}"
    marks = FIRST.match(line) or (line.startswith("[") and defines)
    return f"\\{shown}" if marks and not shown.startswith("\\") else shown
