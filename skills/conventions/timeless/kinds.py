"""The five kinds of contamination, read from the convention's table, their only definition."""

import os
from enum import StrEnum
from typing import Final, NamedTuple

from lib.workflow.errors import WorkflowError

from ..texts import get_convention

HISTORY: Final = frozenset(
    {"changelog", "changes", "history", "news", "releases", "migration", "migrating", "upgrading"}
)
"""Places made for history: files by their names without an extension, and folders such as `adr` and `decisions`."""
_FOLDERS: Final = frozenset({"adr", "adrs", "decisions", "changelog.d", "newsfragments"})


class Kind(StrEnum):
    """The kinds, by their names in the table."""

    CHANGE = "change"
    BASELINE = "baseline"
    PLACE = "place"
    PLANNING = "planning"
    INTENT = "intent"


class Row(NamedTuple):
    """A row of the table."""

    kind: Kind
    meaning: str
    question: str
    contaminated: tuple[str, ...]
    timeless: str
    instead: str


def kinds() -> dict[Kind, Row]:
    """Return the table's rows. Raises WorkflowError unless the table has one for each kind."""
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in get_convention("temporal").split("\n")]
    rows = {}
    for row in cells:
        if len(row) == 6 and row[0].strip("`") in set(Kind):
            name, meaning, question, contaminated, timeless, instead = row
            examples = tuple(contaminated.split("`")[1::2])
            rows[Kind(name.strip("`"))] = Row(
                Kind(name.strip("`")), meaning, question, examples, timeless.strip("`"), instead
            )
    if set(rows) != set(Kind):
        raise WorkflowError(f"temporal.md: give the table a row of six cells for each of {', '.join(Kind)}")
    return rows


def is_history(path: str) -> bool:
    """Return True if a file is a place made for history."""
    *folders, name = path.replace(os.sep, "/").lower().split("/")
    return name.partition(".")[0] in HISTORY or not _FOLDERS.isdisjoint(folders)
