"""Findings of the check, and their text. The meaning of each kind is in `conventions.md`."""

from enum import StrEnum
from typing import Final

from attrs import frozen

from lib.workflow.util.characters import visible

MAX_QUOTED: Final = 120
"""Most characters of a foreign text that a message quotes."""


class FindingKind(StrEnum):
    """The rule that is broken."""

    MISSING_INDEX = "missing-index"
    MISSING_README = "missing-readme"
    MISSING_ENTRY = "missing-entry"
    STALE_ENTRY = "stale-entry"
    DEAD_ENTRY = "dead-entry"
    IGNORED_ENTRY = "ignored-entry"
    FOREIGN_ENTRY = "foreign-entry"
    DOUBLE_ENTRY = "double-entry"
    UNCLEAR_ROW = "unclear-row"
    PROSE = "prose"
    DEAD_LINK = "dead-link"
    DEAD_ANCHOR = "dead-anchor"
    DEAD_PATH = "dead-path"
    DEAD_COMMAND = "dead-command"
    UNREADABLE = "unreadable"


@frozen(order=True)
class Finding:
    """One breach of one rule."""

    file: str
    """The path from the root of the tree, with `/`."""
    line: int
    """The line from 1; 1 if the finding is about the whole file, or about a missing one."""
    kind: FindingKind
    message: str


def quoted(text: str) -> str:
    """Return a name or a foreign text as a quotation on one line, cut if it is long."""
    line = visible(text)
    return f"`{line}`" if len(line) <= MAX_QUOTED else f"`{line[:MAX_QUOTED]}`…"
