"""Paths in a project, as plans, reviews and requests name them: normalised or refused."""

import re
import unicodedata
from typing import Final

from .characters import JOINERS, check_line

MAX_PATH: Final = 1_000
"""Maximum characters of a path."""
ROOT: Final = "."
"""The project's own folder."""
PLAIN: Final = re.compile(r"(?:\w[-\w.]*/)*\w[-\w.]*", re.ASCII)
"""Pattern of paths that are already normalised, as most are. A plan has thousands."""
GIT: Final = frozenset({".git", "git~1"})
"""Names of git's folder, with its short name on Windows."""


def project_path(value: str) -> str:
    """Normalise the path of a file: relative to the project's root, with slashes.

    The file system is not read.

    Raises:
        ValueError: If it leads out of the project (any `..`, a root, a drive, a home) or into git's folder, names a
            folder, or has a part with an outer blank or an invisible character.
    """
    if len(value) <= MAX_PATH and PLAIN.fullmatch(value):
        return value
    parts = _parts(value)
    if not parts or value.split("/")[-1] in ("", ROOT):
        raise ValueError(f"path {value!r:.60}: names a folder; name a file")
    return "/".join(parts)


def project_place(value: str) -> str:
    """Normalise the path of a file or folder; `.` is the project itself. Raises as `project_path` does."""
    return "/".join(_parts(value)) or ROOT


def project_paths(values: tuple[str, ...]) -> tuple[str, ...]:
    """Normalise the paths of files and drop duplicates. Raises ValueError as `project_path` does."""
    return tuple(dict.fromkeys(map(project_path, values)))


def file_key(path: str) -> str:
    """Return a key that is equal for all spellings of a file that differ only in case or Unicode composition."""
    if path.isascii():
        return path.casefold()

    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _parts(value: str) -> list[str]:
    """Return folders and name, without empty parts and `.`."""
    check_line(value, "a path")
    if len(value) > MAX_PATH:
        raise ValueError(f"a path has {len(value):,} characters; at most {MAX_PATH:,}")
    if not value.strip():
        raise ValueError(f"path {value!r:.60}: names a folder; name a file")
    if "\\" in value:
        raise ValueError(f"path {value!r:.60}: write slashes, not backslashes")
    if value.strip().startswith(("/", "~")) or value.strip()[1:2] == ":":
        raise ValueError(f"path {value!r:.60}: write it relative to the project's root")
    parts = value.split("/")
    for part in parts:
        _check(part, value)
    return [part for part in parts if part not in ("", ROOT)]


def _check(part: str, value: str) -> None:
    if part != part.strip():
        raise ValueError(f"path {value!r:.60}: {part!r:.40} starts or ends with a space; remove the space")
    seen = "".join([char for char in part if char not in JOINERS])
    if not seen.isprintable():
        raise ValueError(f"path {value!r:.60}: {part!r:.40} contains an invisible character; remove it")
    if seen == "..":
        raise ValueError(f"path {value!r:.60}: write it without '..', from the project's root")
    if seen.casefold().rstrip(".") in GIT:
        raise ValueError(f"path {value!r:.60}: belongs to git; name a file of the project")
