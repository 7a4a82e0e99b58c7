"""What may be meant by a path that is not there."""

from posixpath import relpath

from lib.workflow.suggest import nearest

from .tree import Tree, folder_of, join, name_of


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
