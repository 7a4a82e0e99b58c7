"""The folder of an installation: links cannot lead reads and writes out of it."""

import os
from contextlib import suppress
from hashlib import sha256
from typing import Final

from ...errors import RefusedError
from ...state.files import OddFileError, read_whole, remove, replace_whole

LARGEST: Final = 4 << 20
"""Maximum bytes of a file that is read."""


class OddFileRefusedError(RefusedError):
    """Raised for a file that is a link, a device or too large."""


class Tree:
    """One folder. Paths are below it, with slashes; each method raises RefusedError for one that leads elsewhere."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)

    def place(self, path: str) -> str:
        """Return the absolute path. Links that stay in the folder are followed."""
        parts = path.split("/")
        if not all(parts) or not {".", ".."}.isdisjoint(parts) or os.path.isabs(path) or "\\" in path:
            raise RefusedError("foreign-path", path, "the path leads out of the folder", "nothing was changed")
        place = os.path.join(self.root, *parts)
        folder = os.path.realpath(os.path.dirname(place))
        if os.path.commonpath([folder, self.root]) != self.root:
            message = f"a symbolic link leads out of {self.root}, to {folder}"
            raise RefusedError("foreign-path", place, message, "replace the link with a folder")
        return place

    def read(self, path: str) -> bytes | None:
        """Return the content of a file, or None."""
        place = self.place(path)
        try:
            return read_whole(place, LARGEST)
        except FileNotFoundError:
            return None
        except NotADirectoryError:
            named = next(folder for folder in parents(path)[::-1] if not os.path.isdir(self.place(folder)))
            what = "it is a file, but files are to be written below it"
            raise RefusedError("odd-file", self.place(named), what, "move it away; nothing was written") from None
        except OddFileError as error:
            raise OddFileRefusedError("odd-file", place, str(error), "move it away; nothing was written") from None

    def read_linked(self, path: str) -> bytes | None:
        """Return the content of a file that may be a link to anywhere; None if it cannot be read."""
        try:
            return read_whole(os.path.realpath(os.path.join(self.root, *path.split("/"))), LARGEST)
        except OSError:
            return None

    def missing(self, path: str) -> tuple[str, ...]:
        """Return the missing parent folders of a file, outermost first."""
        return tuple(folder for folder in reversed(parents(path)) if not os.path.isdir(self.place(folder)))

    def write(self, path: str, data: bytes, mode: int | None = None) -> None:
        """Write a file, with missing parent folders; see `replace_whole` for `mode`."""
        place = self.place(path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        replace_whole(self.place(path), data, mode)

    def remove(self, path: str) -> None:
        """Remove a file if it exists."""
        remove(self.place(path))

    def remove_empty(self, path: str) -> None:
        """Remove a folder if it is empty."""
        with suppress(OSError):
            os.rmdir(self.place(path))

    def names(self, path: str) -> tuple[str, ...]:
        """Return the names in a folder; empty if it does not exist."""
        place = self.place(path)
        return tuple(sorted(os.listdir(place))) if os.path.isdir(place) else ()


def parents(path: str) -> tuple[str, ...]:
    """Return the folders above a file of the tree, innermost first."""
    parts = path.split("/")[:-1]
    return tuple("/".join(parts[:length]) for length in range(len(parts), 0, -1))


def digest(data: bytes) -> str:
    """Return the hash that identifies a file's content."""
    return sha256(data).hexdigest()
