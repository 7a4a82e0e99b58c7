"""The commands that a text shows, found as an agent that reads a page does."""

from collections.abc import Iterator
from itertools import takewhile
from textwrap import dedent

from ..command import Command, CommandError, launcher

TICK = "`"
HERE = " <<'END'"
"""Ending of a command that reads the lines below it, up to END."""


def commands_in(text: str) -> Iterator[tuple[Command, str]]:
    """Yield the commands that a text shows, each on its own line or between backticks.

    Only commands with the interpreter of printed commands count: other lines with `-m` are prose.

    Yields:
        The command, and its standard input: the here-document or the indented block below its line.
    """
    lines = text.split("\n")
    for number, line in enumerate(lines):
        command = _read(line.removesuffix(HERE))
        if command is not None:
            below = (lines[place] for place in range(number + 1, len(lines)))
            yield command, _document(below) if line.endswith(HERE) else _block(below)
            continue
        for span in line.split(TICK)[1::2]:
            command = _read(span)
            if command is not None:
                yield command, ""


def _read(text: str) -> Command | None:
    if " -m " not in text:
        return None
    try:
        command = Command.read(text.strip())
    except CommandError:
        return None
    return command if command.launcher == launcher(command.module) else None


def _document(below: Iterator[str]) -> str:
    return "".join(f"{line}\n" for line in takewhile(lambda line: line != "END", below))


def _block(below: Iterator[str]) -> str:
    """Return the paragraph of lines with four blanks that follows a blank line."""
    if next(below, "none"):
        return ""
    held = list(takewhile(lambda line: line.startswith("    "), below))
    return dedent("\n".join(held)) + "\n" if held else ""
