"""Data beside a skill that people and agents read too: Markdown with one section a record, and its fields as a list."""

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
    """The values of `- field: value` lines by field, in their order; those of a field that is not there are empty."""
    text: str
    """The section as it stands, heading aside."""

    def one(self, field: str) -> str:
        """The value of a field that stands there once."""
        (value,) = self.fields[field]
        return value


def read_records(
    path: str, once: Sequence[str], optional: Sequence[str] = (), many: Sequence[str] = ()
) -> tuple[Record, ...]:
    """The records of a file. Fields of `once` stand in each exactly once, of `optional` at most, of `many` at least.

    A value can go on in lines that are indented. Raises WorkflowError, with file and line, for anything else.
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
    """Fills the fields; yields what is no line of one."""
    last: list[str] | None = None
    for line in text.split("\n"):
        field, colon, value = line.removeprefix(MARK).partition(":")
        if line.startswith(MARK) and colon and field in fields:
            last = fields[field]
            last.append(value.strip())
        elif line.startswith("  ") and last:
            last[-1] = f"{last[-1]} {line.strip()}".strip()
        elif line.strip():
            yield f"{line!r:.60} is no field; write `- field: value`, with one of {', '.join(fields)}"


def _miscounted(
    fields: Mapping[str, Sequence[str]], once: Sequence[str], optional: Sequence[str], many: Sequence[str]
) -> Iterator[str]:
    yield from (f"`- {field}:` is missing" for field in (*once, *many) if not fields[field])
    yield from (f"`- {field}:` stands there twice" for field in (*once, *optional) if len(fields[field]) > 1)
    yield from (f"`- {field}:` is empty" for field, values in fields.items() if not all(values))
