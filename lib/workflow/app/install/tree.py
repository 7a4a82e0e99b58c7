"""The folder that is installed into: nothing is read or written outside of it, whatever links stand in it."""

import os
from contextlib import suppress
from hashlib import sha256
from typing import Final

from ...errors import RefusedError
from ...state.files import OddFileError, read_whole, remove, replace_whole

LARGEST: Final = 4 << 20
"""Bytes of a file that is read."""


class Tree:
    """One folder. Paths are below it, with slashes; each method raises RefusedError for one that leads elsewhere."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)

    def place(self, path: str) -> str:
        """The absolute path. Links that stay within the folder are followed."""
        parts = path.split("/")
        if not all(parts) or not {".", ".."}.isdisjoint(parts) or os.path.isabs(path) or "\\" in path:
            raise RefusedError("foreign-path", path, "it is no path below the folder", "nothing was touched")
        place = os.path.join(self.root, *parts)
        folder = os.path.realpath(os.path.dirname(place))
        if os.path.commonpath([folder, self.root]) != self.root:
            message = f"a link leads out of {self.root}, to {folder}"
            raise RefusedError("foreign-path", place, message, "put a folder in the place of the link")
        return place

    def read(self, path: str) -> bytes | None:
        """What a file holds; None where there is none."""
        place = self.place(path)
        try:
            return read_whole(place, LARGEST)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OddFileError as error:
            raise RefusedError("odd-file", place, str(error), "move it away; nothing is written through it") from None

    def missing(self, path: str) -> tuple[str, ...]:
        """The folders that a file needs and that are not there, the outer before the inner."""
        needed: list[str] = []
        folder = os.path.dirname(path)
        while folder and not os.path.isdir(self.place(folder)):
            needed.insert(0, folder)
            folder = os.path.dirname(folder)
        return tuple(needed)

    def write(self, path: str, data: bytes, mode: int | None = None) -> None:
        """Makes a file hold the data, and its folders where there are none; see `replace_whole` for `mode`."""
        place = self.place(path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        replace_whole(self.place(path), data, mode)

    def remove(self, path: str) -> None:
        """Takes a file away, where there is one."""
        remove(self.place(path))

    def remove_empty(self, path: str) -> None:
        """Takes a folder away that holds nothing."""
        with suppress(OSError):
            os.rmdir(self.place(path))

    def names(self, path: str) -> tuple[str, ...]:
        """What a folder holds; nothing where there is none."""
        place = self.place(path)
        return tuple(sorted(os.listdir(place))) if os.path.isdir(place) else ()


def digest(data: bytes) -> str:
    """The hash by which a file is known again."""
    return sha256(data).hexdigest()
