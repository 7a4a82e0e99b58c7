"""Data files that people and agents read too: Markdown with one section per record, and its fields as a list."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from ..errors import WorkflowError
from .reader import read_prompts

MARK: Final = "- "


class Record(NamedTuple):
    """One section, `## id: Title`."""

    id: str
    title: str
    fields: Mapping[str, tuple[str, ...]]
    """Values of `- field: value` lines by field, in order; empty for absent fields."""
    text: str
    """Text of the section without its heading."""

    def one(self, field: str) -> str:
        """Return the only value of a field."""
        (value,) = self.fields[field]
        return value


def read_records(
    path: str, once: Sequence[str], optional: Sequence[str] = (), many: Sequence[str] = ()
) -> tuple[Record, ...]:
    """Read the records of a file.

    Indented lines continue a value.

    Args:
        path: A Markdown file; each `##` section is a record.
        once: Fields that each record has exactly once.
        optional: Fields that each record has at most once.
        many: Fields that each record has at least once.

    Raises:
        WorkflowError: With file and line, if the file has any other content.
    """
    found: list[Record] = []
    wrong: list[str] = []
    for name, prompt in read_prompts(path).items():
        fields: dict[str, list[str]] = {field: [] for field in (*once, *optional, *many)}
        faults = [*_read(prompt.text, fields), *_miscounted(fields, once, optional, many)]
        wrong += [f"{path}:{prompt.line}: {name}: {fault}" for fault in faults]
        values = {field: tuple(values) for field, values in fields.items()}
        found.append(Record(name, prompt.title, MappingProxyType(values), prompt.text))
    if wrong:
        raise WorkflowError("\n".join(wrong))
    return tuple(found)


def _read(text: str, fields: dict[str, list[str]]) -> Iterator[str]:
    """Fill the fields; yield errors for lines that belong to no field."""
    last: list[str] | None = None
    for line in text.split("\n"):
        field, colon, value = line.removeprefix(MARK).partition(":")
        if line.startswith(MARK) and colon and field in fields:
            last = fields[field]
            last.append(value.strip())
        elif line.startswith("  ") and last:
            last[-1] = f"{last[-1]} {line.strip()}".strip()
        elif line.strip():
            yield f"{line!r:.60} is not a field; write `- field: value`, with one of {', '.join(fields)}"


def _miscounted(
    fields: Mapping[str, Sequence[str]], once: Sequence[str], optional: Sequence[str], many: Sequence[str]
) -> Iterator[str]:
    yield from (f"`- {field}:` is missing" for field in (*once, *many) if not fields[field])
    yield from (f"duplicate field `- {field}:`" for field in (*once, *optional) if len(fields[field]) > 1)
    yield from (f"`- {field}:` is empty" for field, values in fields.items() if not all(values))
