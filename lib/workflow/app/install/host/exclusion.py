"""Our lines in `.git/info/exclude`, so that git does not offer the installed files for a commit.

They are in one block at the start of the file. Every other byte of the file stays unchanged.
"""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, NamedTuple

from ....errors import RefusedError
from ....state.files import read_whole
from ....state.git import repository
from ..tree import Tree

FILE: Final = "info/exclude"
_LONGEST: Final = 4096
"""Maximum bytes of a file in which git names another folder."""
_SPECIAL: Final = re.compile(r"([\\*?\[])")


class _Place(NamedTuple):
    """The exclude file that counts for a folder."""

    git: Tree
    """The folder of git that has the file."""
    name: str
    """Name of our block: other folders of the repository, and other work trees, have their own."""
    prefix: str
    """Pattern of the folder, relative to the work tree."""


def exclude(tree: Tree, paths: Iterable[str]) -> None:
    """Replace our block by one for these paths; without paths, remove it.

    Outside of a repository, and for an exclude file that cannot be edited, nothing happens: the file only saves a user
    some lines of `git status`.
    """
    with suppress(OSError, RefusedError):
        place = _place(tree)
        if place is None:
            return
        data = place.git.read(FILE)
        before = (data or b"").decode(errors="surrogateescape")
        rest = _without(before, place.name)
        lines = "".join(f"{place.prefix}{_pattern(path)}\n" for path in sorted(paths))
        after = f"{_begin(place.name)}{lines}{_end(place.name)}{rest}" if lines else rest
        if after == before:
            return
        if not after and data:
            place.git.remove(FILE)
        else:
            place.git.write(FILE, after.encode(errors="surrogateescape"))


def _begin(name: str) -> str:
    return f"# >>> stepscript install{name}; `stepscript uninstall` removes these lines\n"


def _end(name: str) -> str:
    return f"# <<< stepscript install{name}\n"


def _without(text: str, name: str) -> str:
    before, begin, rest = text.partition(_begin(name))
    _, end, after = rest.partition(_end(name))
    return before + after if begin and end else text


def _pattern(path: str) -> str:
    """Return the pattern that matches only this path (gitignore, "Pattern format")."""
    return _SPECIAL.sub(r"\\\1", path)


def _place(tree: Tree) -> _Place | None:
    root = repository(tree.root)
    if root is None:
        return None
    inner = os.path.relpath(tree.root, root)
    prefix = "/" if inner == os.curdir else f"/{_pattern(inner.replace(os.sep, '/'))}/"
    if not prefix.isprintable():
        return None
    named = "" if inner == os.curdir else f" in {inner}"
    git = os.path.join(root, ".git")
    if os.path.isdir(git) and not os.path.islink(git):
        if not os.path.isfile(os.path.join(git, "HEAD")):  # a folder that only has the name
            return None
        return _Place(Tree(git), named, prefix)
    folder = _of_work_tree(git)
    if folder is None:
        return None
    common = os.path.normpath(os.path.join(folder, _line(os.path.join(folder, "commondir"))))
    return _Place(Tree(common), f"{named} of the work tree {os.path.basename(folder)}", prefix)


def _of_work_tree(git: str) -> str | None:
    """Return git's folder for a work tree of its own; None if that folder does not name the work tree too.

    The file `.git` comes with the project's folder, and could name any repository.
    """
    folder = os.path.join(os.path.dirname(git), _line(git).removeprefix("gitdir: "))
    named = os.path.join(folder, _line(os.path.join(folder, "gitdir")))
    return folder if os.path.realpath(named) == os.path.realpath(git) else None


def _line(path: str) -> str:
    return os.fsdecode(read_whole(path, _LONGEST)).rstrip("\r\n")
