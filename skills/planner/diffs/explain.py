"""Explanation of git's message about a patch: the hunk, its line in the diff, and the line of the file that differs."""

import re
from typing import Final

from .model import FileDiff, Hunk

FAILED: Final = re.compile(r"^error: patch failed: .*:(\d+)$", re.MULTILINE)
ABSENT: Final = "No such file or directory"
PRESENT: Final = "already exists in working directory"
MAX_SAID: Final = 300


def explained(diff: FileDiff, said: str, path: str) -> str:
    """Return the reason why the diff does not apply to the file at that path."""
    if ABSENT in said:
        return f"{diff.file} does not exist; create it from /dev/null, or correct the name"
    if PRESENT in said:
        return f"{diff.file} already exists; change it instead of creating it"
    failed = FAILED.search(said)
    number = next((n for n, hunk in enumerate(diff.hunks, 1) if failed and hunk.start == int(failed[1])), None)
    if number is None:
        return f"git says: {' '.join(said.split())[:MAX_SAID]}"
    hunk = diff.hunks[number - 1]
    return f"hunk {number}, line {hunk.line} of the diff: does not apply; {_difference(hunk, path)}"


def _difference(hunk: Hunk, path: str) -> str:
    """Return the first line of the file that differs from the hunk."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        lines = file.read().removesuffix("\n").split("\n")
    first = max(hunk.start, 1)
    for place, expected in enumerate(hunk.before, first):
        found = lines[place - 1] if place <= len(lines) else None
        if found != expected:
            reads = "ends before it" if found is None else f"reads {found!r:.120}"
            return f"line {place} of the file {reads}, but the hunk has {expected!r:.120}"
    return "the file ends differently from the hunk: check the newline at its end"
