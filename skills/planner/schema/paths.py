"""Paths of the project's files, as a plan names them: relative, with slashes, never out of the project."""

import re
from typing import Final

from lib.workflow.characters import check_line

MAX_PATH: Final = 1_000
"""Characters."""
PLAIN: Final = re.compile(r"(?:\w[-\w.]*/)*\w[-\w.]*", re.ASCII)
"""Most paths: in their one form beyond doubt. A plan has thousands."""


def project_path(value: str) -> str:
    """The path of a file in its one form, from the project's root. The file system is not asked.

    Raises ValueError for what is no path, leads out of the project (lexically: any `..`, a root, a drive, a home) or
    into git's own folder, or names a folder.
    """
    if len(value) <= MAX_PATH and PLAIN.fullmatch(value):
        return value
    check_line(value, "a path")
    if len(value) > MAX_PATH:
        raise ValueError(f"a path has {len(value):,} characters; at most {MAX_PATH:,}")
    if "\\" in value:
        raise ValueError(f"path {value!r:.60}: write slashes, not backslashes")
    if value.startswith(("/", "~")) or value[1:2] == ":":
        raise ValueError(f"path {value!r:.60}: write it relative to the project's root")
    parts = value.split("/")
    if ".." in parts:
        raise ValueError(f"path {value!r:.60}: write it without '..', from the project's root")
    if parts[-1] in ("", ".") or not value.strip():
        raise ValueError(f"path {value!r:.60}: names a folder; name a file")
    if ".git" in value.casefold().split("/"):
        raise ValueError(f"path {value!r:.60}: is git's own; name a file of the project")
    return "/".join([part for part in parts if part not in ("", ".")])


def project_paths(values: tuple[str, ...]) -> tuple[str, ...]:
    """The paths, each in its one form and once. Raises ValueError as `project_path` does."""
    return tuple(dict.fromkeys(map(project_path, values)))


def file_key(path: str) -> str:
    """What two spellings of one file have in common on a file system that ignores case and Unicode's composition."""
    if path.isascii():
        return path.casefold()
    import unicodedata  # only paths beyond ASCII pay for it

    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
