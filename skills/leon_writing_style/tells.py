"""The machine tells: `tells.md` as values, and as tables for the steps."""

import os
import re
from typing import Final

from attrs import frozen

from lib.workflow.errors import WorkflowError
from lib.workflow.prompts.records import Record, read_records

PATH: Final = os.path.join(os.path.dirname(__file__), "tells.md")


@frozen(kw_only=True)
class Tell:
    """One trait of a text written by a machine."""

    id: str
    title: str
    look: str
    instead: str
    pattern: "re.Pattern[str] | None"
    """The pattern to count, or None if only a reader can find it."""

    def hits(self, text: str) -> "list[re.Match[str]]":
        """Return the matches of the pattern; `^` and `$` are the ends of a line."""
        return list(self.pattern.finditer(text)) if self.pattern else []


def read_tells(path: str = PATH) -> tuple[Tell, ...]:
    """Return all tells, in their order. Raises WorkflowError, with the tell, for an invalid pattern."""
    return tuple(_tell(record) for record in read_records(path, once=("look", "instead"), optional=("pattern",)))


def to_read() -> str:
    """Return the tells without a pattern: the trait to look for, and the replacement."""
    return "\n".join(f"{tell.id}: {tell.look} Instead: {tell.instead}" for tell in read_tells() if tell.pattern is None)


def _tell(record: Record) -> Tell:
    try:
        patterns = [re.compile(text, re.IGNORECASE | re.MULTILINE) for text in record.fields["pattern"]]
    except re.error as error:
        raise WorkflowError(f"{record.id}: its pattern is invalid: {error}") from None
    return Tell(
        id=record.id,
        title=record.title,
        look=record.one("look"),
        instead=record.one("instead"),
        pattern=patterns[0] if patterns else None,
    )
