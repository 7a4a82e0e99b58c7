"""git, asked about a folder. Nothing that the folder's own settings name is run, and no variable points elsewhere."""

import os
import subprocess
from typing import Final, NamedTuple

HARMLESS: Final = ("-c", "core.fsmonitor=false", "-c", "safe.directory=*")
"""A repository's own settings can name a program to run (`core.fsmonitor`); who owns it then does not matter."""


class Said(NamedTuple):
    """What git said."""

    status: int
    out: str
    errors: str


def repository(folder: str) -> str | None:
    """The root of the repository around a folder; None where there is none."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def ask_git(folder: str, *words: str, given: str = "", seconds: float = 60) -> Said:
    """Runs git in a folder; paths stand in its output as `os.fsdecode` gives them.

    Raises FileNotFoundError where git or the folder is not there, subprocess.TimeoutExpired where it takes longer. What
    a hook of git is told of its repository (GIT_DIR, GIT_INDEX_FILE) does not count here.
    """
    outside = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", *HARMLESS, *words],  # noqa: S607  the user's git, wherever it is
        capture_output=True,
        check=False,
        cwd=folder,
        env={**outside, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"},
        input=os.fsencode(given),
        timeout=seconds,
    )
    return Said(done.returncode, os.fsdecode(done.stdout), os.fsdecode(done.stderr))
