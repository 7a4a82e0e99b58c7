"""The three-way merge of an installed file that the user has changed, by `git merge-file`."""

import os
import subprocess
import tempfile
from typing import Final, NamedTuple

from ....state.git import ask_git_apart
from .stamp import like, unstamped

_NAMES: Final = ("yours", "installed", "new")


class Merged(NamedTuple):
    """The result of a merge."""

    data: bytes
    conflicts: int
    """Number of conflicts, which the data shows with git's marks; -1 if the merge is not possible."""
    why: str = ""
    """The reason why it is not possible."""


def merged(yours: bytes, installed: bytes, new: bytes) -> Merged:
    """Return the user's content with our changes from the installed to the new content. It has no stamp."""
    with tempfile.TemporaryDirectory(prefix="stepscript-merge-") as folder:
        for name, data in zip(_NAMES, (yours, installed, new), strict=True):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(unstamped(data))
        labels = [word for name in _NAMES for word in ("-L", name)]
        try:
            said = ask_git_apart(folder, "merge-file", "-p", *labels, *_NAMES)
        except (OSError, subprocess.SubprocessError) as error:
            return Merged(yours, -1, str(error))
    if said.status > 127:  # git's own errors
        return Merged(yours, -1, said.errors.strip())
    return Merged(like(os.fsencode(said.out), yours), said.status)
