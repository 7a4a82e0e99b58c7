"""Markdown files that are data: front matter and sections."""

import os
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from ..errors import WorkflowError

NOT_BUILT: Final = (
    'the package was built without it: add `[tool.setuptools.package-data]` with the line `"*" = ["*.md"]` to its '
    "pyproject.toml, then build and install it again"
)
"""Cause of a file that an installed package lacks."""
_SITES: Final = frozenset({"site-packages", "dist-packages"})
FENCE: Final = "---"
"""The line before and after the front matter."""


class Section(NamedTuple):
    """The content below a second-level heading."""

    title: str
    text: str
    line: int
    """Line of the heading, from 1."""


def read_text(path: str) -> str:
    """Read the text of a file. Raises WorkflowError, with the path, if it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().removeprefix("\ufeff")
    except FileNotFoundError:
        cause = f"; {NOT_BUILT}" if _SITES.intersection(path.split(os.sep)) else ""
        raise WorkflowError(f"{path}: cannot be read: the file is missing{cause}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise WorkflowError(f"{path}: cannot be read: {error}") from None


def read_page(path: str) -> tuple[str, tuple[Section, ...]]:
    """Read the text above the first heading, and the sections in order. Raises WorkflowError as `read_text` does."""
    lines = read_text(path).split("\n")
    found = list(spans(lines))
    first = found[0][0] if found else len(lines)
    return "\n".join(lines[:first]).strip("\n"), tuple(
        Section(lines[start][2:].strip(), "\n".join(lines[start + 1 : end]).strip("\n"), start + 1)
        for start, end in found
    )


def read_front_matter(path: str, *, yaml: bool = False) -> tuple[Mapping[str, str], str]:
    """Read the front matter between two `---` lines, one `key: value` a line, and the text below it.

    Args:
        path: The file.
        yaml: Also accept what YAML writes in one line: quoted values, and keys with an indented map below, whose value
            is then empty.

    Raises:
        WorkflowError: With file and line, if it is missing, a line is not `key: value`, or a key is repeated.
    """
    begin, *lines = read_text(path).split("\n")
    if begin.rstrip() != FENCE or FENCE not in lines:
        raise WorkflowError(f"{path}:1: has no front matter; start with `{FENCE}`, lines `key: value`, and `{FENCE}`")
    end = lines.index(FENCE)
    found: dict[str, str] = {}
    for number, line in enumerate(lines[:end], 2):
        if yaml and found and line[:1] in (" ", "\t"):
            continue  # part of the map above
        is_map = yaml and line.endswith(":") and lines[number - 1][:1] == " "
        key, colon, value = (line[:-1], ":", "") if is_map else line.partition(": ")
        if not (colon and key.strip() == key and (is_map or value.strip())):
            raise WorkflowError(f"{path}:{number}: {line!r:.60} is not `key: value`")
        if key in found:
            raise WorkflowError(f"{path}:{number}: duplicate {key!r}; keep one")
        found[key] = _unquoted(value.strip()) if yaml else value.strip()
    return MappingProxyType(found), "\n".join(lines[end + 1 :]).strip("\n")


def _unquoted(value: str) -> str:
    """Return the text of a value that YAML quotes; any other value unchanged."""
    if len(value) < 2 or value[0] != value[-1] or value[0] not in "'\"":
        return value
    if value[0] == "'":
        return value[1:-1].replace("''", "'")
    import json  # few files have quotes

    try:
        return str(json.loads(value))
    except ValueError:
        return value


def spans(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield first and end line of each section.

    A `##` in a fenced block is not a heading (CommonMark 0.31, section 4.5).
    """
    fence = ""
    start: int | None = None
    for number, line in enumerate(lines):
        mark = _fence(line) if "```" in line or "~~~" in line else ""
        if fence:
            closes = mark[:1] == fence[:1] and len(mark) >= len(fence) and line.strip() == mark
            fence = "" if closes else fence
        elif mark:
            fence = mark
        elif line.startswith("## "):
            if start is not None:
                yield start, number
            start = number
    if start is not None:
        yield start, len(lines)


def _fence(line: str) -> str:
    """Return the fence at the start of a line, or an empty string."""
    text = line.lstrip(" ")
    for mark in "`~":
        length = len(text) - len(text.lstrip(mark))
        if length >= 3 and len(line) - len(text) < 4 and not (mark == "`" and "`" in text[length:]):
            return mark * length
    return ""
