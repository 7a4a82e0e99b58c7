"""Copies of the files of a run directory on an agent's host: pages name some of them for reading."""

import os
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Final

from ....state.consent import MARK
from ....state.files import PRIVATE, private_folder, read_whole, remove, replace_whole
from .spelling import Spelling
from .wire import Copy

LONGEST: Final = 1 << 20
"""Maximum bytes of a file; a longer one is not copied."""
_REPOSITORY: Final = re.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}", re.ASCII)
MOST: Final = 4 << 20
"""Maximum bytes of all files that travel at once."""


def gathered(folder: str, known: Iterable[str]) -> tuple[Copy, ...]:
    """Return the text files directly in a run directory that somebody lacks or has in another version.

    Args:
        folder: The run directory.
        known: Digests of copies, as `digest` gives them.
    """
    there, left, found = set(known), MOST, list[Copy]()
    for name, text in _texts(folder):
        copy = Copy(name=name, digest=digest(name, text), text=text)
        if copy.digest in there:
            there.remove(copy.digest)
        elif len(text) <= left:
            left -= len(text)
            found.append(copy)
    changed = {copy.name for copy in found}
    gone = (each for each in sorted(there) if each.partition(" ")[2] not in changed)
    return (*found, *(Copy(name=each.partition(" ")[2], digest=each, text=None) for each in gone))


def repositories(folder: str) -> tuple[str, ...]:
    """Return the names of the git repositories directly in a run directory, such as a copy of the project."""
    return tuple(name for name in sorted(os.listdir(folder)) if _is_repository(folder, name))


def is_repository_name(name: str) -> bool:
    """Return True for a name that such a repository may have: one in the making has a dot."""
    return _REPOSITORY.fullmatch(name) is not None


def digest(name: str, text: str) -> str:
    """Return the digest of a copy, with its name."""
    return f"{sha256(text.encode(errors='surrogatepass')).hexdigest()[:16]} {name}"


def write(copies: Iterable[Copy], folder: str, spelling: Spelling) -> None:
    """Write copies into a folder, with the paths of this host. Raises OSError."""
    private_folder(folder)
    for copy in copies:
        path = os.path.join(folder, os.path.basename(copy.name))
        if copy.text is None:
            remove(path)
        else:
            text = spelling.there(copy.text).encode(errors="surrogatepass")
            replace_whole(path, text, PRIVATE, sync=False)


def _is_repository(folder: str, name: str) -> bool:
    paths = (os.path.join(folder, name), os.path.join(folder, name, ".git"))
    return is_repository_name(name) and all(os.path.isdir(path) and not os.path.islink(path) for path in paths)


def _texts(folder: str) -> Iterator[tuple[str, str]]:
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.startswith(".") or name == MARK or os.path.islink(path) or not os.path.isfile(path):
            continue
        try:
            yield name, read_whole(path, LONGEST).decode()
        except (OSError, ValueError):  # gone meanwhile, too long, or no text
            continue
