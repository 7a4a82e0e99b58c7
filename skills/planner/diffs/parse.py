"""Strict parser for a unified diff of one file. Anything but a change of that file is refused, with hunk and line.

The libraries for this (unidiff, whatthepatch) skip what they do not know, and lines beyond a hunk's count.
"""

from collections.abc import Sequence
from typing import Final

from lib.workflow.util.paths import project_path

from .hunks import NO_NEWLINE, hunks_of, refuse
from .model import FileDiff

MAX_DIFF: Final = 2_000_000
"""Most characters of a diff."""
ABSENT: Final = "/dev/null"
REFUSED: Final = (
    ("rename ", "renames a file; delete the old file in one change, and create the new file in another"),
    ("copy ", "copies a file; create the new file with its whole text"),
    ("old mode ", "changes the mode of a file; a change may only change text"),
    ("new mode ", "changes the mode of a file; a change may only change text"),
    ("GIT binary patch", "is binary; a change may only change text"),
    ("Binary files ", "is binary; a change may only change text"),
)
PASSED: Final = ("diff --git ", "index ", "similarity index ")
MODES: Final = ("new file mode ", "deleted file mode ")
REGULAR: Final = ("100644", "100755")


def parsed(diff: str, file: str) -> FileDiff:
    """Return the change of the file. Raises ValueError for anything else, with hunk, line of the diff and the fix."""
    if len(diff) > MAX_DIFF:
        raise ValueError(f"the diff has {len(diff):,} characters; at most {MAX_DIFF:,}: split the change")
    lines = diff.removesuffix("\n").split("\n")
    at, mode = _extended(lines, file)
    old, new = _named(lines, at, "--- ", "a/"), _named(lines, at + 1, "+++ ", "b/")
    for number, name in ((at, old), (at + 1, new)):
        if name not in (file, ABSENT):
            refuse(
                lines,
                number,
                f"names {name!r:.80}, but the change is for {file!r}; write a separate change for each file",
            )
    if old == new == ABSENT:
        refuse(lines, at, f"names no file; write '--- a/{file}' or '+++ b/{file}'")
    hunks = hunks_of(lines, at + 2)
    made = FileDiff(file, hunks, old == ABSENT, new == ABSENT, mode == REGULAR[1])
    for whole, sign, done in ((made.creates, "+", "creates"), (made.deletes, "-", "deletes")):
        if whole and (len(hunks) > 1 or any(line[0] not in (sign, NO_NEWLINE) for line in hunks[0].body)):
            refuse(lines, hunks[0].line - 1, f"{done} the file; write one hunk whose lines all start with '{sign}'", 1)
    return made


def _extended(lines: Sequence[str], file: str) -> tuple[int, str | None]:
    """Return the line number of `--- `, after git's extra header lines, and the mode that they give the file."""
    at, mode = 0, None
    while at < len(lines) and not lines[at].startswith("--- "):
        line = lines[at]
        for beginning, why in REFUSED:
            if line.startswith(beginning):
                refuse(lines, at, why)
        if line.startswith(MODES):
            mode = line.rpartition(" ")[2]
            if mode not in REGULAR:
                refuse(lines, at, f"mode {mode:.20} is not the mode of a regular file; write {' or '.join(REGULAR)}")
        elif not line.startswith(PASSED) or (at and line.startswith(PASSED[0])):
            break
        at += 1
    if at == len(lines) or not lines[at].startswith("--- "):
        refuse(lines, at, f"the header is missing; start with '--- a/{file}' and '+++ b/{file}', {ABSENT} for no file")
    return at, mode


def _named(lines: Sequence[str], at: int, sign: str, prefix: str) -> str:
    """Return the file that the line of a header names."""
    line = lines[at] if at < len(lines) else ""
    name = line.removeprefix(sign).partition("\t")[0].rstrip(" ")
    if not line.startswith(sign):
        refuse(lines, at, f"the line '{sign}{prefix}…' is missing")
    if name == ABSENT:
        return name
    if not name.startswith(prefix):
        refuse(lines, at, f"{name!r:.80} has no prefix; write '{sign}{prefix}path', the path as it is")
    try:
        return project_path(name.removeprefix(prefix))
    except ValueError as error:
        refuse(lines, at, str(error))
