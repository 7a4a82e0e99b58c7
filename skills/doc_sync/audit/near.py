"""What may be meant by a path that is not there."""

import difflib
from collections.abc import Iterable
from posixpath import relpath

from .tree import Tree, folder_of, join, name_of

MAX_LENGTH = 100
"""Characters of a name that are compared; likeness takes time with the square of them."""


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The name that is most like what was written, whatever its case; None where none is."""
    folded = {item.casefold(): item for item in names if len(item) <= MAX_LENGTH}
    found = difflib.get_close_matches(name[:MAX_LENGTH].casefold(), folded, 1, 0.75)
    return folded[found[0]] if found else None


def moved(tree: Tree, path: str) -> str | None:
    """The one file or folder elsewhere that has the path's last name; None where there is none, or more than one."""
    name = name_of(path)
    found = [
        item for item in (*tree.files, *tree.folders) if item and name_of(item) == name and not tree.is_quiet(item)
    ]
    return found[0] if len(found) == 1 else None


def beside(tree: Tree, path: str, seen_from: str = "") -> str | None:
    """The file or folder most like the path in its own folder, as seen from a folder; None where none is."""
    held = tree.folders.get(folder_of(path))
    near = nearest(name_of(path), [*held.files, *held.folders]) if held else None
    return near and relpath(join(folder_of(path), near), seen_from or ".")
