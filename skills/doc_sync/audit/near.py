"""Suggestions for missing names. Each search goes through many names, so the number of searches is limited."""

from collections.abc import Iterable
from posixpath import relpath
from typing import Final

from lib.workflow.util.suggest import nearest

from . import git
from .tree import Tree, folder_of, join, name_of

MOST: Final = 500
"""Most searches per tree; later findings come without a suggestion."""


class Near:
    """A search for similar names in one tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._left = MOST

    def named(self, name: str, names: Iterable[str]) -> str | None:
        """Return the name most like a missing one; None if none is similar."""
        return nearest(name, names) if self._look() else None

    def moved(self, path: str) -> str | None:
        """Return the only file or folder elsewhere with the path's last name; None if there is not exactly one."""
        found = self.tree.named.get(name_of(path), ())
        return found[0] if len(found) == 1 else None

    def beside(self, path: str, seen_from: str = "") -> str | None:
        """Return the file or folder most like the path in its folder, relative to a folder; None if none is similar."""
        held = self.tree.folders.get(folder_of(path))
        near = self.named(name_of(path), [*held.files, *held.folders]) if held else None
        return near and relpath(join(folder_of(path), near), seen_from or ".")

    def ignored(self, *paths: str) -> bool:
        """Return True if git ignores one of the paths."""
        return self._look() and bool(git.ignored(self.tree.root, paths))

    def _look(self) -> bool:
        self._left -= 1
        return self._left >= 0
