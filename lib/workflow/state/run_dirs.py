"""Locations of runs: a project's folder of runs, the project that holds a run, and the user's own folder."""

import os
from collections.abc import Callable
from contextlib import suppress
from itertools import count, islice
from typing import Final

from ..errors import RefusedError
from ..util.digests import sha256

HOME: Final = ".stepscript"
RUNS: Final = "runs"
DATABASES: Final = "databases"
"""Folder in the user's own, for runs whose state is in a database: a folder for each database, with its runs."""
WORKTREES: Final = "worktrees"
"""Folder of git worktrees in a run's folder: `NAME` for the run, `NAME.KEY` for an agent."""
OWN_WORKTREE: Final = "STEPSCRIPT_WORKTREE"
"""Variable with the worktree of an agent that has one of its own."""
ELSEWHERE: Final = "STEPSCRIPT_ELSEWHERE"
"""Variable of steps and commands of a run whose agents work on other hosts."""
IGNORE: Final = ".gitignore"
IGNORED: Final = b"*\n"
"""Content of the ignore file: git ignores everything in its folder."""
READ_ONLY: Final = frozenset({".git", ".claude", ".agents", ".codex"})
"""Folders that agents' sandboxes make read-only."""
LONGEST_SLUG: Final = 32
MARK: Final = 2
"""Bytes of a run's name that distinguish it from other runs of its day."""
MOST: Final = 5000
"""Maximum entries read in a folder of runs: a repository must not slow a listing down."""
NAME: Final = rf"\d{{4}}-[0-9a-f]{{{2 * MARK}}}(\.\d+)?"
"""Regular expression of the names that `new_name` gives, with their numbered variants. Printed commands carry them."""


def runs_folder(root: str | None = None) -> str:
    """Return the folder of a project's runs: in the nearest folder upwards that has one or is a repository, else here.

    The home folder is never the project of a folder inside it.
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
    """Return the user's home folder; None if the environment and the system name no absolute one."""
    path = os.path.expanduser("~")
    known = os.path.isabs(path) and os.environ.get("HOME") != ""  # an empty HOME expands to the root folder
    return os.path.normpath(path) if known else None


def user_folder() -> str:
    """Return the user's state folder: https://specifications.freedesktop.org/basedir-spec, state.

    Raises RefusedError if the user has no home folder: a relative one could lie in another user's repository.
    """
    base, home = os.environ.get("XDG_STATE_HOME", ""), home_folder()
    if os.path.isabs(base):
        return os.path.normpath(os.path.join(base, "stepscript"))
    if home is None:
        what = "this user has no home folder: neither HOME nor the system names an absolute path"
        fix = "Set HOME, or set XDG_STATE_HOME to a folder that only you can write."
        raise RefusedError("no-home", "HOME", what, fix)
    return os.path.join(home, ".local", "state", "stepscript")


def cache_folder() -> str:
    """Return the user's cache folder: https://specifications.freedesktop.org/basedir-spec. Raises OSError without one.

    Relative paths in XDG_CACHE_HOME are ignored, as the specification says.
    """
    base, home = os.environ.get("XDG_CACHE_HOME", ""), home_folder()
    if not os.path.isabs(base):
        if home is None:
            raise OSError("this user has no home folder")
        base = os.path.join(home, ".cache")
    return os.path.join(base, "stepscript")


def runs_folders(root: str | None = None) -> tuple[str, ...]:
    """Return the folders that can hold a project's runs: its own, and the user's if the project is not writable."""
    own = runs_folder(root)
    project = os.path.realpath(os.path.dirname(os.path.dirname(own)))
    name = f"{slug(os.path.basename(project))}-{sha256(project.encode(errors='surrogateescape')).hexdigest()[:12]}"
    try:
        return own, os.path.join(user_folder(), name, RUNS)
    except RefusedError:
        return (own,)


def holder(run: str) -> str | None:
    """Return the project that a run works in by its place; None for a run outside of a project's folder of runs.

    It is the project whose own folder of runs really holds the run, or the same folder of the run's own git worktree.
    """
    project = project_of(run)
    return project and (_in_worktree(os.path.realpath(run), project) or project)


def project_of(run: str) -> str | None:
    """Return the project whose own folder of runs really holds the run; None for a run elsewhere."""
    runs = os.path.dirname(os.path.realpath(run))
    home = os.path.dirname(runs)
    return os.path.dirname(home) if os.path.basename(runs) == RUNS and os.path.basename(home) == HOME else None


def here(root: str) -> str:
    """Return the folder that the current agent has in place of a run's project: its own worktree, else the project.

    Args:
        root: The project's folder, as the run names it.
    """
    own = os.environ.get(OWN_WORKTREE, "")
    folder, name = os.path.split(own)
    run = os.path.basename(os.path.dirname(folder))
    tree = os.path.join(folder, run)
    if not (run and name.startswith(f"{run}.") and is_within(root, tree) and os.path.isdir(own)):
        return root
    return own + root[len(tree) :]


def is_elsewhere() -> bool:
    """Return True if the agents of this process's run work on other hosts, without the run directory."""
    return bool(os.environ.get(ELSEWHERE))


def check_here(target: str, fix: str) -> None:
    """Raise RefusedError for something that needs agents on the run's host, if they work on others.

    Args:
        target: The thing.
        fix: The action that the error suggests to the agent.
    """
    if is_elsewhere():
        raise RefusedError("elsewhere", target, "the agents of this run work on other hosts, without its folder", fix)


def _in_worktree(run: str, project: str) -> str | None:
    """Return the folder of a project in the run's own worktree, or None."""
    tree = os.path.join(run, WORKTREES, os.path.basename(run))
    if not os.path.isfile(os.path.join(tree, ".git")) or os.path.realpath(tree) != tree:
        return None
    from .git import repository  # few runs have a worktree

    root = repository(project)
    return root and os.path.normpath(os.path.join(tree, os.path.relpath(project, root)))


def is_within(path: str, folder: str) -> bool:
    """Return True if a path is a folder or lies in it. Both are absolute and without links."""
    return f"{path}{os.sep}".startswith(os.path.join(folder, ""))


def inside(root: str, *names: str) -> str:
    """Return the path of a file below a folder, reached through no link out of the folder.

    Raises RefusedError for a path that leads elsewhere: it must be neither read nor written in the folder's name.
    """
    path, real = os.path.join(root, *names), os.path.realpath(root)
    if not is_within(os.path.realpath(path), real):
        what = f"a symbolic link in the path leads out of {real}"
        raise RefusedError("outside", path, what, "Remove the link, or name another folder.")
    return path


def check_unlinked(run: str) -> None:
    """Raise RefusedError if a run's folder is a link, or lies in a folder of runs that is one.

    The target belongs to another project; it is neither written nor deleted.
    """
    path = os.path.abspath(run)
    parents = (os.path.dirname(path), os.path.dirname(os.path.dirname(path)))
    ours = parents if os.path.basename(parents[1]) == HOME else ()
    for each in (path, *ours):
        if os.path.islink(each):
            what = f"{each} is a symbolic link, to {os.path.realpath(each)}"
            raise RefusedError("linked-state", run, what, "Name the folder itself, or remove the link.")


def place_of_runs() -> str:
    """Return the folder for new runs without a given folder. Raises RefusedError if no folder can be made."""
    own, *others = runs_folders()
    for folder in (own, *others):
        if _usable(folder):
            return folder
    nor = f" or in {others[0]}" if others else ", and this user has no home folder"
    fix = "Set XDG_STATE_HOME to a writable folder, or name a folder for this run with --state-dir."
    raise RefusedError("unwritable-state", own, f"cannot create a folder there{nor}", fix)


def _usable(path: str) -> bool:
    if READ_ONLY.intersection(path.split(os.sep)) or any(map(os.path.islink, (path, os.path.dirname(path)))):
        return False
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    return os.path.isdir(path) and os.access(path, os.W_OK | os.X_OK)


def run_folders(root: str | None = None) -> list[str]:
    """Return the folders of a project's runs, in any order; if there are too many, only some."""
    found: list[str] = []
    for folder in runs_folders(root):
        with suppress(OSError), os.scandir(folder) as entries:
            found.extend(entry.path for entry in islice(entries, MOST) if entry.is_dir())
    return found


def latest_folders(root: str | None = None) -> list[str]:
    """Return the folders of a project's runs as `run_folders` does, the last changed first."""
    return sorted(run_folders(root), key=changed, reverse=True)


def changed(path: str) -> float:
    """Return the time of the last write; 0 if the folder is gone.

    A run's files are replaced, which also changes its folder's time.
    """
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0


def slug(text: str) -> str:
    """Return a text as a part of a folder's name; `run` if no character of it is allowed."""
    words = "".join(char if char.isascii() and char.isalnum() else " " for char in text.lower()).split()
    return "-".join(words)[:LONGEST_SLUG].strip("-") or "run"


def new_name(mark: bytes) -> str:
    """Return a folder name for a run that starts today, such as 1128-7e57: the day, and bytes that make it distinct."""
    from datetime import date  # most steps of a run do not need the date

    return f"{date.today():%m%d}-{mark[:MARK].hex()}"


def found_again(text: str, is_over: Callable[[str], bool]) -> str:
    """Return the folder of a run that starts today; the same text gives the same folder until its run is over.

    `is_over` must also be true for a run of another text, because names are short.
    """
    path = os.path.join(place_of_runs(), new_name(_mark(text)))
    paths = (path if number == 1 else f"{path}.{number}" for number in count(1))
    return next(path for path in paths if not is_over(path))


def begun(text: str) -> list[str]:
    """Return the folders that `found_again` gave for a text on any day, the last first."""
    end = f"-{_mark(text)[:MARK].hex()}"
    found = (path for path in run_folders() if _stem(path).endswith(end))
    return sorted(found, key=os.path.basename, reverse=True)


def _mark(text: str) -> bytes:
    return sha256(f"{runs_folder()}/{text}".encode()).digest()


def _stem(path: str) -> str:
    return os.path.basename(path).partition(".")[0]
