"""Hunks of a diff, checked against the counts in their headers."""

import re
from collections.abc import Sequence
from typing import Final, NoReturn

from .model import Hunk

HEADER: Final = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(?: .*)?", re.ASCII)
NO_NEWLINE: Final = "\\"
"""The prefix of the line that says that the one before it, the file's last, has no newline."""


def refuse(lines: Sequence[str], at: int, why: str, hunk: int = 0) -> NoReturn:
    """Raise ValueError with the line (`at` counts from 0, the message from 1) and the hunk, if one is given."""
    where = f"hunk {hunk}, line {at + 1}" if hunk else f"line {at + 1}"
    shown = f" {lines[at]!r:.60}" if at < len(lines) else " (the end)"
    raise ValueError(f"diff, {where}{shown}: {why}")


def begins_file(lines: Sequence[str], at: int) -> bool:
    """Return True if another file's part of a diff starts at that line."""
    if lines[at].startswith("diff --git "):
        return True
    return lines[at].startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ ")


def hunks_of(lines: Sequence[str], at: int) -> tuple[Hunk, ...]:
    """Return the hunks from that line to the end, at least one."""
    hunks: list[Hunk] = []
    shift, last = 0, 0
    """The lines by which the file has grown so far, and the last line that was checked."""
    end = next((place + 1 for place in range(len(lines) - 1, -1, -1) if lines[place]), 0)
    """The line after which only blank lines follow."""
    while at < len(lines) and (not hunks or at < end):
        number = len(hunks) + 1
        match = HEADER.fullmatch(lines[at])
        if match is None:
            if begins_file(lines, at):
                refuse(lines, at, "another file starts; write a separate change for each file")
            refuse(lines, at, "is not a hunk header; write @@ -10,4 +10,6 @@", number)
        old_start, old, new_start, new = (1 if group is None else int(group) for group in match.groups())
        body = _body(lines, at, end, number, (old, new))
        first = old_start + (not old)
        expected = first + shift - (not new)
        if first <= last:
            refuse(lines, at, f"starts before the end of the hunk above it; join them, or start after {last}", number)
        if new_start != expected:
            refuse(lines, at, f"must start at line {expected} of the new file, because of the lines above it", number)
        hunks.append(Hunk(at + 1, old_start, lines[at], body))
        shift, last = shift + new - old, first + old - 1
        at += 1 + len(body)
    if not hunks:
        refuse(lines, at, "has no hunk; write @@ -10,4 +10,6 @@ and the lines of the change")
    return tuple(hunks)


def _body(lines: Sequence[str], at: int, last: int, number: int, counted: tuple[int, int]) -> tuple[str, ...]:
    """Return the lines of the hunk whose header is at that line.

    An empty line counts as a context line, because editors remove its blank.
    """
    body: list[str] = []
    before = after = 0
    old, new = counted
    for line in (lines[place] or " " for place in range(at + 1, len(lines))):
        complete = (before, after) == counted
        if line[0] not in " +-\\" or (complete and line[0] != NO_NEWLINE) or before > old or after > new:
            break
        before, after = before + (line[0] in " -"), after + (line[0] in " +")
        body.append(line)
    end = at + 1 + len(body)
    if (before, after) != counted or not _ends(lines, end, last):
        _refuse_count(lines, at, last, number, counted)
    if not any(line[0] in "+-" for line in body):
        refuse(lines, at, "changes nothing; remove the hunk", number)
    lasts = {line[0]: place for place, line in enumerate(body) if line[0] != NO_NEWLINE}
    for place, line in enumerate(body):
        if line[0] == NO_NEWLINE and (not place or any(lasts.get(sign, 0) > place for sign in _sides(body[place - 1]))):
            refuse(lines, at + 1 + place, "follows a line that is not the last of its side", number)
    return tuple(body)


def _ends(lines: Sequence[str], at: int, last: int) -> bool:
    """Return True if a hunk may end before that line; after the last, all are blank."""
    return at >= last or lines[at].startswith("@@ ") or begins_file(lines, at)


def _sides(line: str) -> str:
    """Return the signs of lines on a side to which that line belongs."""
    return " -+" if line[0] == " " else f" {line[0]}"


def _refuse_count(lines: Sequence[str], at: int, last: int, number: int, counted: tuple[int, int]) -> NoReturn:
    """Raise ValueError for the hunk's fault: a line that belongs to no hunk, or a header with wrong counts."""
    before = after = 0
    place = at + 1
    while place < len(lines) and not _ends(lines, place, last):
        sign = (lines[place] or " ")[0]
        if sign not in " +-\\":
            refuse(lines, place, "is not a hunk line; hunk lines start with ' ', '+' or '-'", number)
        before, after = before + (sign in " -"), after + (sign in " +")
        place += 1
    old, new = counted
    text = f"counts {old} lines before and {new} after, and has {before} and {after}"
    refuse(lines, at, f"{text}; write @@ -…,{before} +…,{after} @@, or fix the lines", number)
