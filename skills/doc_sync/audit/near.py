"""What may be meant by something that is not there. Each look goes through many names, so their number is limited."""

from collections.abc import Iterable
from posixpath import relpath
from typing import Final

from lib.workflow.util.suggest import nearest

from . import git
from .tree import Tree, folder_of, join, name_of

MOST: Final = 500
"""Looks for one tree; what else is not there is told without a suggestion."""


class Near:
    """Looks for what may be meant, in one tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._left = MOST

    def named(self, name: str, names: Iterable[str]) -> str | None:
        """The name most like one that is not there; None where none is."""
        return nearest(name, names) if self._look() else None

    def moved(self, path: str) -> str | None:
        """The one file or folder elsewhere that has the path's last name; None if there is none, or more than one."""
        found = self.tree.named.get(name_of(path), ())
        return found[0] if len(found) == 1 else None

    def beside(self, path: str, seen_from: str = "") -> str | None:
        """The file or folder most like the path in its own folder, as seen from a folder; None where none is."""
        held = self.tree.folders.get(folder_of(path))
        near = self.named(name_of(path), [*held.files, *held.folders]) if held else None
        return near and relpath(join(folder_of(path), near), seen_from or ".")

    def ignored(self, *paths: str) -> bool:
        """Whether git ignores one of the paths."""
        return self._look() and bool(git.ignored(self.tree.root, paths))

    def _look(self) -> bool:
        self._left -= 1
        return self._left >= 0
