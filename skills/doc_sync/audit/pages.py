"""The Markdown pages of a tree, each read once."""

import os
import stat
from typing import Final

from .findings import Finding, FindingKind
from .markdown import Page, PageError, read_page
from .tree import Tree

MAX_BYTES: Final = 1 << 20
"""Most bytes of one page; a malicious page of that size takes a minute."""


class Pages:
    """A cache of a tree's pages by path."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._read: dict[str, Page | Finding] = {}

    def get(self, path: str) -> Page | Finding:
        """Return the page, or the finding that it cannot be read."""
        if path not in self._read:
            try:
                self._read[path] = read_page(_text(self._tree.root, path))
            except PageError as error:
                self._read[path] = Finding(path, 1, FindingKind.UNREADABLE, f"{error}; nothing in it was checked")
        return self._read[path]


def _text(root: str, path: str) -> str:
    place = os.path.realpath(os.path.join(root, path))
    if not place.startswith(os.path.join(root, "")):
        raise PageError("it is a link out of the repository")
    try:
        state = os.stat(place)
        if not stat.S_ISREG(state.st_mode):
            raise PageError("it is not a regular file")
        if state.st_size > MAX_BYTES:
            raise PageError(f"it has {state.st_size:,} bytes, more than {MAX_BYTES:,}")
        with open(place, encoding="utf-8-sig") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise PageError(f"it cannot be opened: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise PageError(f"it is not UTF-8 text (byte {error.start + 1})") from None
