"""git, asked about a folder. Nothing that the folder's own settings name is run, and no variable points elsewhere."""

import os
import subprocess
from typing import Final, NamedTuple

from .errors import UsageError

HARMLESS: Final = ("-c", "core.fsmonitor=false", "-c", "safe.directory=*")
"""A repository's own settings can name a program to run (`core.fsmonitor`); who owns it then does not matter."""

TIME: Final = 60
"""Seconds that git may take for one answer."""


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


def listed(folder: str, *options: str) -> tuple[str, ...]:
    """Every path below a folder that git does not ignore, committed or not; a repository within ends with `/`.

    Raises UsageError where git cannot say.
    """
    said = asked(folder, *options, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if said.status:
        raise UsageError(
            f"git cannot list the files of {folder!r:.200}: {said.errors.strip():.300}; name a folder of one"
        )
    return tuple(dict.fromkeys(filter(None, said.out.split("\0"))))


def asked(folder: str, *words: str, given: str = "") -> Said:
    """What `ask_git` says, where nothing can be done without; raises UsageError where it raises anything."""
    try:
        return ask_git(folder, *words, given=given, seconds=TIME)
    except FileNotFoundError:
        raise UsageError("git is not installed; it says which files are there and which are ignored") from None
    except subprocess.TimeoutExpired:
        raise UsageError(f"git was not done after {TIME} seconds in {folder!r:.200}; name a smaller folder") from None
    except OSError as error:
        raise UsageError(f"git cannot look into {folder!r:.200}: {error.strerror}") from None


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
