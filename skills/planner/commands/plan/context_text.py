"""The context as text: a section for each field, one entry per line."""

from collections.abc import Iterator, Mapping
from typing import Final

from lib.workflow.cli.table.command_line.sources import MARK, items_of
from lib.workflow.util.suggest import expected

from ...schema.context import ContextField

HEADING: Final = "## "
BELOW: Final = "  "
"""The prefix of a line that continues the entry above."""


def read_fields(text: str) -> Mapping[ContextField, tuple[str, ...]]:
    """Return the entries of each field that has a section: `## constraints`, and below it `- MUST: …` for each entry.

    A line that begins with two blanks continues the entry above. A section without entries empties its field.

    Raises:
        ValueError: A line is neither of these, or a field has two sections; the message names the line.
    """
    sections: dict[ContextField, list[str]] = {}
    field: ContextField | None = None
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if line.startswith(HEADING):
            field = _field(line.removeprefix(HEADING).strip(), number)
            if field in sections:
                raise ValueError(f"line {number}: duplicate section for {field}; put its entries into one section")
            sections[field] = []
        elif field is None:
            if line.strip():
                raise ValueError(f"line {number}: {line!r:.60} is in no section; start with `## task_spec`")
        else:
            if line.strip() and not line.startswith((MARK, BELOW)):
                raise ValueError(
                    f"line {number}: {line!r:.60}: start an entry with `- `, and its further lines with two spaces"
                )
            if line.startswith(BELOW) and not any(map(str.strip, sections[field])):
                raise ValueError(f"line {number}: {line!r:.60} continues no entry; start one with `- `")
            sections[field].append(line)
    if not sections:
        raise ValueError("it has no section; start with `## task_spec`")
    return {field: tuple(_entries(lines)) for field, lines in sections.items()}


def _field(name: str, number: int) -> ContextField:
    if name not in list(ContextField):
        raise ValueError(f"line {number}: {name!r:.60} is not a field; {expected(name, ContextField)}")
    return ContextField(name)


def _entries(lines: list[str]) -> Iterator[str]:
    for entry in items_of("\n".join(lines)):
        if entry.strip():
            yield entry
