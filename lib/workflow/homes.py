"""Where the runs of a project are kept (decisions.md, "State directory")."""

import os
from collections.abc import Callable
from itertools import count
from typing import Final

from .errors import RefusedError

HOME: Final = ".stepscript"
RUNS: Final = "runs"
IGNORE: Final = ".gitignore"
IGNORED: Final = b"*\n"
"""What the ignore file says of the folder that it stands in: what is there is nobody's to commit."""
READ_ONLY: Final = frozenset({".git", ".claude", ".agents", ".codex"})
"""Folders below which agents' sandboxes let nobody write."""
LONGEST_SLUG: Final = 32
NAME: Final = rf"\d{{4}}-\d\d-\d\d-[a-z0-9-]{{1,{LONGEST_SLUG}}}-[0-9a-f]{{6}}(\.\d+)?"
"""The names that `new_name` gives, and their next ones, as a regular expression."""


def runs_folder(root: str | None = None) -> str:
    """The folder of a project's runs: in the nearest folder upwards that has one, or is a repository; else here.

    A home folder, whatever it has, is no project of the folders in it.
    """
    start = os.path.abspath(root or os.getcwd())
    home = os.path.expanduser("~")
    folder = start
    while True:
        if os.path.isdir(os.path.join(folder, HOME)) or os.path.exists(os.path.join(folder, ".git")):
            return os.path.join(folder, HOME, RUNS)
        parent = os.path.dirname(folder)
        if parent in (folder, home):
            return os.path.join(start, HOME, RUNS)
        folder = parent


def user_folder() -> str:
    """What we keep for a user beside the projects: https://specifications.freedesktop.org/basedir-spec, state."""
    base = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.abspath(os.path.join(base, "stepscript"))


def runs_folders(root: str | None = None) -> tuple[str, str]:
    """Where a project's runs can be: in its own folder; in the user's, where nothing can be made in its own."""
    from hashlib import sha256

    own = runs_folder(root)
    project = os.path.realpath(os.path.dirname(os.path.dirname(own)))
    name = f"{slug(os.path.basename(project))}-{sha256(project.encode(errors='surrogateescape')).hexdigest()[:12]}"
    return own, os.path.join(user_folder(), name, RUNS)


def place_of_runs() -> str:
    """The folder in which a run begins that is told none. Raises RefusedError where nothing can be made in either."""
    own, users = runs_folders()
    if _usable(own) and not any(map(os.path.islink, (own, os.path.dirname(own)))):  # a link leads to another project
        return own
    if _usable(users):
        return users
    fix = "Name a folder that can be written by XDG_STATE_HOME, or one for this run alone by --state-dir."
    raise RefusedError("unwritable-state", own, f"no folder can be made there, nor for {users}", fix)


def _usable(path: str) -> bool:
    if READ_ONLY.intersection(path.split(os.sep)):
        return False
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    return os.path.isdir(path) and os.access(path, os.W_OK | os.X_OK)


def run_folders(root: str | None = None) -> list[str]:
    """The folders of a project's runs, whoever drives them, the last changed first."""
    paths = (os.path.join(folder, name) for folder in runs_folders(root) for name in _names(folder))
    return sorted(filter(os.path.isdir, paths), key=changed, reverse=True)


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def changed(path: str) -> float:
    """When something was last written there; 0 where it has gone. A run's files are replaced: its folder tells too."""
    try:
        return os.path.getmtime(path)
    except OSError:
        return 0


def slug(text: str) -> str:
    """A text as a part of a folder's name; `run` where nothing of it can stand in one."""
    words = "".join(char if char.isascii() and char.isalnum() else " " for char in text.lower()).split()
    return "-".join(words)[:LONGEST_SLUG].strip("-") or "run"


def new_name(text: str, mark: bytes) -> str:
    """The name of the folder of a run that begins today, with three bytes that tell it from others."""
    from datetime import date  # the day of whoever asks; most steps of a run do not

    return f"{date.today():%Y-%m-%d}{_end(text, mark)}"


def _end(text: str, mark: bytes) -> str:
    return f"-{slug(text)}-{mark[:3].hex()}"


def found_again(text: str, is_over: Callable[[str], bool]) -> str:
    """The folder of a run that begins today; the same text finds it again, until what is there is over."""
    path = os.path.join(place_of_runs(), new_name(text, _mark(text)))
    paths = (path if number == 1 else f"{path}.{number}" for number in count(1))
    return next(path for path in paths if not is_over(path))


def begun(text: str) -> list[str]:
    """The folders that `found_again` has given for a text, on whatever day, the last first."""
    end = _end(text, _mark(text))
    found = (path for path in run_folders() if _stem(path).endswith(end))
    return sorted(found, key=os.path.basename, reverse=True)


def _mark(text: str) -> bytes:
    from hashlib import sha256

    return sha256(f"{runs_folder()}/{text}".encode()).digest()


def _stem(path: str) -> str:
    return os.path.basename(path).partition(".")[0]
