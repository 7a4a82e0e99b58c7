"""Paths in a project, as plans, reviews and requests name them: one type, normalised or refused."""

import re
from typing import Final

from .characters import JOINERS, check_line

MAX_PATH: Final = 1_000
"""Characters."""
ROOT: Final = "."
"""The project's own folder."""
PLAIN: Final = re.compile(r"(?:\w[-\w.]*/)*\w[-\w.]*", re.ASCII)
"""Most paths: in their one form beyond doubt. A plan has thousands."""
GIT: Final = frozenset({".git", "git~1"})
"""The folder of git, by its name and by its short name on Windows."""


def project_path(value: str) -> str:
    """Return the path of a file in its one form: relative to the project's root, with slashes.

    The file system is not asked.

    Raises:
        ValueError: it leads out of the project (any `..`, a root, a drive, a home), into git's own folder, or names a
            folder; or a part of it begins or ends with a blank, or holds a character that nobody sees.
    """
    if len(value) <= MAX_PATH and PLAIN.fullmatch(value):
        return value
    parts = _parts(value)
    if not parts or value.split("/")[-1] in ("", ROOT):
        raise ValueError(f"path {value!r:.60}: names a folder; name a file")
    return "/".join(parts)


def project_place(value: str) -> str:
    """Return the path of a file or folder in its one form; `.` is the project itself. Raises as `project_path` does."""
    return "/".join(_parts(value)) or ROOT


def project_paths(values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paths of files, each in its one form and once. Raises ValueError as `project_path` does."""
    return tuple(dict.fromkeys(map(project_path, values)))


def file_key(path: str) -> str:
    """What two spellings of one file have in common on a file system that ignores case and Unicode's composition."""
    if path.isascii():
        return path.casefold()
    import unicodedata  # only paths beyond ASCII pay for it

    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _parts(value: str) -> list[str]:
    """The folders and the name, without what says nothing."""
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
        raise ValueError(f"path {value!r:.60}: {part!r:.40} begins or ends with a blank; write it without")
    seen = "".join([char for char in part if char not in JOINERS])
    if not seen.isprintable():
        raise ValueError(f"path {value!r:.60}: {part!r:.40} holds a character that nobody sees; write it without")
    if seen == "..":
        raise ValueError(f"path {value!r:.60}: write it without '..', from the project's root")
    if seen.casefold().rstrip(".") in GIT:
        raise ValueError(f"path {value!r:.60}: is git's own; name a file of the project")
