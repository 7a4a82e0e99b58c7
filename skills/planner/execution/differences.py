"""Changes in the files of a wave since the review of their code passed."""

from collections.abc import Iterator
from difflib import unified_diff
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from lib.workflow.util.characters import printable

from .project_files import content, wave_files
from .snapshots import copies

if TYPE_CHECKING:
    from ..state.run_state import RunState

MAX_LINES: Final = 20_000
"""Most lines of a file and its copy together; comparing more could take minutes."""


class How(StrEnum):
    """The relation of a file to its copy."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"
    NEW = "new"
    """The file has no copy, and can be read."""
    UNREAD = "unread"
    """Neither can be read as text: a link or behind one, binary, too large, or missing."""


class Difference(NamedTuple):
    """A file of the wave, and its difference."""

    file: str
    how: How
    diff: str = ""
    """Hunks as in a unified diff; for a new file, all of it."""


def differences(state: "RunState", only: str | None = None) -> Iterator[Difference]:
    """Yield each file of the wave, or one of them, compared with its copy; nothing if no code was built in the wave."""
    folder = copies(state)
    if folder is None:
        return
    for name in wave_files(state):
        if only in (None, name):
            yield difference(name, content(folder, name), content(state.project, name))


def difference(name: str, before: bytes | None, after: bytes | None) -> Difference:
    """Return the difference between two contents of a file; None means missing or unreadable."""
    if before == after:
        return Difference(name, How.UNREAD if after is None else How.SAME)
    if after is None:
        return Difference(name, How.GONE)
    old, new = _lines(before or b""), _lines(after)
    if old is None or new is None or len(old) + len(new) > MAX_LINES:
        return Difference(name, How.UNREAD)
    hunks = list(unified_diff(old, new, lineterm=""))[2:]  # without the two lines that name the files
    return Difference(name, How.NEW if before is None else How.CHANGED, "\n".join(hunks))


def _lines(data: bytes) -> list[str] | None:
    """Return the lines of a text. A missing line end is shown as in git, one that is not LF as an escape."""
    if b"\0" in data:
        return None
    text = data.decode(errors="backslashreplace")
    lines = [printable(line) for line in text.split("\n")]
    if lines[-1] == "":
        return lines[:-1]
    return [*lines[:-1], f"{lines[-1]}\n\\ No newline at end of file"]
