"""Where runs are kept, which project holds one, and the user's own folder."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from typing import Final

from ..errors import RefusedError

HOME: Final = ".stepscript"
RUNS: Final = "runs"
IGNORE: Final = ".gitignore"
IGNORED: Final = b"*\n"
"""What the ignore file says of the folder that it stands in: what is there is nobody's to commit."""
READ_ONLY: Final = frozenset({".git", ".claude", ".agents", ".codex"})
"""Folders below which agents' sandboxes let nobody write."""
LONGEST_SLUG: Final = 32
MARK: Final = 2
"""Bytes of a run's name that tell it from others of its day."""
MOST: Final = 5000
"""Entries of a folder of runs that are looked at: what a repository brings must not keep a listing busy."""
NAME: Final = rf"\d{{4}}-[0-9a-f]{{{2 * MARK}}}(\.\d+)?"
"""The names that `new_name` gives, and their next ones, as a regular expression. Every printed command carries one."""


def runs_folder(root: str | None = None) -> str:
    """The folder of a project's runs: in the nearest folder upwards that has one, or is a repository; else here.

    A home folder, whatever it has, is no project of the folders in it.
    """
    start = os.path.abspath(root or os.getcwd())
    home = home_folder()
    folder = start
    while True:
        if os.path.isdir(os.path.join(folder, HOME)) or os.path.exists(os.path.join(folder, ".git")):
            return os.path.join(folder, HOME, RUNS)
        parent = os.path.dirname(folder)
        if parent in (folder, home):
            return os.path.join(start, HOME, RUNS)
        folder = parent


def home_folder() -> str | None:
    """The user's home folder; None if the environment and the system name no absolute one."""
    path = os.path.expanduser("~")
    known = os.path.isabs(path) and os.environ.get("HOME") != ""  # an empty HOME expands to the root folder
    return os.path.normpath(path) if known else None


def user_folder() -> str:
    """What we keep for a user beside the projects: https://specifications.freedesktop.org/basedir-spec, state.

    Raises RefusedError if the user has no home folder: one that is relative could lie in somebody's repository.
    """
    base, home = os.environ.get("XDG_STATE_HOME", ""), home_folder()
    if os.path.isabs(base):
        return os.path.normpath(os.path.join(base, "stepscript"))
    if home is None:
        what = "this user has no home folder: the environment and the system name no absolute path"
        fix = "Set HOME, or set XDG_STATE_HOME to a folder that only you can write."
        raise RefusedError("no-home", "HOME", what, fix)
    return os.path.join(home, ".local", "state", "stepscript")


def runs_folders(root: str | None = None) -> tuple[str, ...]:
    """Where a project's runs can be: in its own folder; in the user's, where nothing can be made in its own."""
    from hashlib import sha256

    own = runs_folder(root)
    project = os.path.realpath(os.path.dirname(os.path.dirname(own)))
    name = f"{slug(os.path.basename(project))}-{sha256(project.encode(errors='surrogateescape')).hexdigest()[:12]}"
    try:
        return own, os.path.join(user_folder(), name, RUNS)
    except RefusedError:
        return (own,)


def holder(run: str) -> str | None:
    """The project whose own folder of runs really holds the run; None for a run that is kept elsewhere."""
    runs = os.path.dirname(os.path.realpath(run))
    home = os.path.dirname(runs)
    return os.path.dirname(home) if os.path.basename(runs) == RUNS and os.path.basename(home) == HOME else None


def is_within(path: str, folder: str) -> bool:
    """Whether a real path is a folder, or lies in it. Both are absolute and without links."""
    return f"{path}{os.sep}".startswith(os.path.join(folder, ""))


def inside(root: str, *names: str) -> str:
    """The path of a file below a folder, whose way there leads through no link out of the folder.

    Raises RefusedError for one that leads elsewhere: it must be neither read nor written in the folder's name.
    """
    path, real = os.path.join(root, *names), os.path.realpath(root)
    if not is_within(os.path.realpath(path), real):
        what = f"a symbolic link on the way there leads out of {real}"
        raise RefusedError("outside", path, what, "Remove the link, or name another place.")
    return path


def check_unlinked(run: str) -> None:
    """Raise RefusedError for a run's folder that is a link, or lies in a folder of runs that is one.

    What is behind it belongs to another project; it is neither written nor deleted.
    """
    path = os.path.abspath(run)
    parents = (os.path.dirname(path), os.path.dirname(os.path.dirname(path)))
    ours = parents if os.path.basename(parents[1]) == HOME else ()
    for each in (path, *ours):
        if os.path.islink(each):
            what = f"{each} is a symbolic link, to {os.path.realpath(each)}"
            raise RefusedError("linked-state", run, what, "Name the folder itself, or remove the link.")


def place_of_runs() -> str:
    """The folder in which a run begins that is told none. Raises RefusedError where nothing can be made in either."""
    own, *others = runs_folders()
    for folder in (own, *others):
        if _usable(folder):
            return folder
    nor = f", nor for {others[0]}" if others else ", and this user has no home folder"
    fix = "Name a folder that can be written by XDG_STATE_HOME, or one for this run alone by --state-dir."
    raise RefusedError("unwritable-state", own, f"no folder can be made there{nor}", fix)


def _usable(path: str) -> bool:
    if READ_ONLY.intersection(path.split(os.sep)) or any(map(os.path.islink, (path, os.path.dirname(path)))):
        return False
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    return os.path.isdir(path) and os.access(path, os.W_OK | os.X_OK)


def run_folders(root: str | None = None) -> list[str]:
    """The folders of a project's runs, whoever drives them, the last changed first; of very many, some."""
    found = [entry for folder in runs_folders(root) for entry in _folders(folder)]
    return [path for _, path in sorted(found, reverse=True)]


def _folders(folder: str) -> Iterator[tuple[float, str]]:
    """Each folder in a folder, behind the time of its last change."""
    from itertools import islice

    with suppress(OSError), os.scandir(folder) as entries:
        for entry in islice(entries, MOST):
            if entry.is_dir():
                yield changed(entry.path), entry.path


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


def new_name(mark: bytes) -> str:
    """The name of the folder of a run that begins today, as 1128-7e57: the day, and bytes that tell it from others."""
    from datetime import date  # the day of whoever asks; most steps of a run do not

    return f"{date.today():%m%d}-{mark[:MARK].hex()}"


def found_again(text: str, is_over: Callable[[str], bool]) -> str:
    """The folder of a run that begins today; the same text finds it again, until what is there is over.

    `is_over` is also true of a run of another text, since names are short.
    """
    path = os.path.join(place_of_runs(), new_name(_mark(text)))
    paths = (path if number == 1 else f"{path}.{number}" for number in count(1))
    return next(path for path in paths if not is_over(path))


def begun(text: str) -> list[str]:
    """The folders that `found_again` has given for a text, on whatever day, the last first."""
    end = f"-{_mark(text)[:MARK].hex()}"
    found = (path for path in run_folders() if _stem(path).endswith(end))
    return sorted(found, key=os.path.basename, reverse=True)


def _mark(text: str) -> bytes:
    from hashlib import sha256

    return sha256(f"{runs_folder()}/{text}".encode()).digest()


def _stem(path: str) -> str:
    return os.path.basename(path).partition(".")[0]
