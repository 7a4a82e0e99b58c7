"""The relevant files of a repository: those that neither git nor `.docsyncignore` ignores."""

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from types import MappingProxyType
from typing import Final

from attrs import frozen

from lib.workflow.errors import UsageError
from lib.workflow.state.git import repository

from . import git
from .findings import FindingKind

QUIET: Final = ".docsyncignore"
"""A file in the root: one path or pattern per line that is not checked and needs no entry; `#` starts a comment.

`kind: pattern` allows one kind of finding in the pages of the pattern.
"""
MAX_PATTERNS: Final = 500
"""Most lines of it; each is compared with each path."""
MAX_PATH: Final = 4096
"""Most characters of a path; no system accepts a longer one."""


@frozen
class File:
    """The properties of a file that the rules need."""

    size: int
    """The size in bytes."""
    link: bool = False
    """True for a symbolic link; then the size is not that of its target."""


@frozen
class Folder:
    """The content of a folder, by name."""

    files: frozenset[str]
    folders: frozenset[str]


@frozen
class Tree:
    """A repository, or a folder outside of any, and the part to check. Paths are from the root, with `/`."""

    root: str
    """The absolute path, without symbolic links."""
    scope: str
    """The folder to check; empty for the root."""
    files: Mapping[str, File]
    """All files by path."""
    folders: Mapping[str, Folder]
    """Every folder that holds a file, by path."""
    quiet: tuple[tuple[int, str], ...] = ()
    """The patterns of `.docsyncignore`, each with its line."""
    allowed: tuple[tuple[int, FindingKind, str], ...] = ()
    """The kinds of findings that it allows, each with its line and the pattern of the pages."""

    def exists(self, path: str) -> bool:
        """Return True if the path is a file or a folder. Any path behind a symbolic link counts as existing."""
        if len(path) > MAX_PATH:
            return False
        behind = (self.files.get(up) for up in parents(path))
        return path in self.files or path in self.folders or any(file and file.link for file in behind)

    @cached_property
    def named(self) -> Mapping[str, Sequence[str]]:
        """Return the checked files and folders, by the last part of their paths."""
        found: dict[str, list[str]] = {}
        for path in (*self.files, *self.folders):
            if path and not self.is_quiet(path):
                found.setdefault(name_of(path), []).append(path)
        return found

    def in_scope(self) -> Iterator[str]:
        """Yield the folders to check, the outermost first."""
        for path in sorted(self.folders):
            if (path == self.scope or not self.scope or path.startswith(f"{self.scope}/")) and not self.is_quiet(path):
                yield path

    def is_quiet(self, path: str) -> bool:
        """Return True if `.docsyncignore` names the path, or a folder around it."""
        return any(self.matches(pattern, path) for _, pattern in self.quiet)

    def allows(self, kind: FindingKind, path: str) -> bool:
        """Return True if the rules of the repository allow a finding of this kind in a page."""
        return any(kind is allowed and self.matches(pattern, path) for _, allowed, pattern in self.allowed)

    def matches(self, pattern: str, path: str) -> bool:
        """Return True if a pattern of `.docsyncignore` matches the path, or a folder around it."""
        return any(fnmatchcase(up, pattern) for up in (path, *parents(path)) if up)

    def visible_files(self, folder: str) -> list[str]:
        """Return the names of the files that a reader may look for: neither hidden, nor empty, nor quiet."""
        return [
            name
            for name in sorted(self.folders[folder].files)
            if not name.startswith(".")
            and self.files[join(folder, name)].size
            and not self.is_quiet(join(folder, name))
        ]

    def visible_folders(self, folder: str) -> list[str]:
        """Return the names of the folders that a reader may look into: neither hidden nor quiet."""
        return [
            name
            for name in sorted(self.folders[folder].folders)
            if not name.startswith(".") and not self.is_quiet(join(folder, name))
        ]


def survey(directory: str) -> Tree:
    """Return the tree around a folder. Raises UsageError if it is not a folder, or cannot be listed."""
    where = os.path.realpath(directory)
    if not os.path.isdir(where):
        raise UsageError(f"{directory!r:.200} is not a folder; give the folder to check")
    root = repository(where) or where
    inside = os.path.relpath(where, root).replace(os.sep, "/")
    files: dict[str, File] = {}
    held: dict[str, tuple[set[str], set[str]]] = {"": (set(), set())}
    for path in git.listed(root):
        try:
            state = os.lstat(os.path.join(root, path))
        except OSError:
            continue  # deleted, but not committed yet
        if stat.S_ISDIR(state.st_mode):
            held.setdefault(path.rstrip("/"), (set(), set()))  # a repository within is not checked
        else:
            files[path] = File(state.st_size, stat.S_ISLNK(state.st_mode))
            held.setdefault(folder_of(path), (set(), set()))[0].add(name_of(path))
    for path in [*held]:
        while path:
            above = folder_of(path)
            held.setdefault(above, (set(), set()))[1].add(name_of(path))
            path = above
    scope = "" if inside == "." else inside
    if scope not in held:
        raise UsageError(f"{directory!r:.200} has no files, or git ignores all of them; there is nothing to check")
    folders = {path: Folder(frozenset(names), frozenset(inner)) for path, (names, inner) in held.items()}
    return Tree(root, scope, MappingProxyType(files), MappingProxyType(folders), *_quiet(root))


def folder_of(path: str) -> str:
    """Return the folder of a path; empty for the root."""
    return path.rpartition("/")[0]


def name_of(path: str) -> str:
    """Return the last part of a path."""
    return path.rpartition("/")[2]


def join(folder: str, name: str) -> str:
    """Return the path of a name in a folder."""
    return f"{folder}/{name}" if folder else name


def parents(path: str) -> Iterator[str]:
    """Yield the folders around a path, the innermost first; the last is the root."""
    while path:
        path = folder_of(path)
        yield path


def _quiet(root: str) -> tuple[tuple[tuple[int, str], ...], tuple[tuple[int, FindingKind, str], ...]]:
    """Read `.docsyncignore`, even if git ignores it.

    Returns:
        The patterns that are not checked, and the kinds that are allowed in pages.
    """
    place = os.path.join(root, QUIET)
    if not os.path.lexists(place) or not stat.S_ISREG(os.lstat(place).st_mode):
        return (), ()
    with open(place, encoding="utf-8", errors="surrogateescape") as file:
        lines = [(number, line.strip().strip("/")) for number, line in enumerate(file, 1)]
    found = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if len(found) > MAX_PATTERNS:
        raise UsageError(f"{QUIET} has {len(found):,} patterns, more than {MAX_PATTERNS:,}; name folders instead")
    split = [(number, line, *line.partition(": ")) for number, line in found]
    allowed = [
        (n, FindingKind(kind), pattern) for n, _, kind, colon, pattern in split if colon and kind in tuple(FindingKind)
    ]
    of_kinds = {number for number, _, _ in allowed}
    return tuple((number, line) for number, line in found if number not in of_kinds), tuple(allowed)
