"""The cache of an agent's host: for each project a repository, and for each agent at work its folders."""

import os
import re
import shutil
import time
from contextlib import suppress
from hashlib import sha256
from typing import Final

from attrs import frozen

from ....command.quoting import join
from ....state.files import private_folder, replace_whole
from ....state.locks import is_held
from ....state.run_dirs import cache_folder
from ..place import folder_of, queue_in

PLACE: Final = "apart"
"""Its folder in the user's cache."""
PROGRAM: Final = "step"
REPOSITORY: Final = "repository"
LOCK: Final = ".lock"
"""Suffix of the lock that a worker holds while an agent is at work."""
MOST: Final = 32
"""Maximum projects; a further one replaces the one that was not used for the longest time."""
SAFE: Final = re.compile(r"[A-Za-z0-9/._-]+", re.ASCII)
"""A path on the agent's host, which no shell and no format spells in another way."""
CLIENT: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "door_client.py")


@frozen(kw_only=True)
class Place:
    """The folders of one agent."""

    repository: str
    folder: str
    """In place of the run directory."""
    repositories: str
    """The run's repositories of its run directory."""
    agents: str
    """Files of the run's agents."""
    tree: str
    """The worktree."""
    lock: str


class Cache:
    """The cache of this user.

    Raises:
        ValueError: If the path of the cache cannot be written on pages.
        OSError: If it cannot be made, or this user has no home folder.
    """

    def __init__(self, python: str) -> None:
        """Make the cache, and the program in it that pages name, which `python` runs."""
        self._root = root()
        if SAFE.fullmatch(self._root) is None:
            raise ValueError(
                f"the folder {self._root!r:.200} has signs that pages would quote; set XDG_CACHE_HOME to a path of "
                "letters, digits, `.`, `_` and `-`"
            )
        private_folder(self._root)
        self.program = os.path.join(self._root, PROGRAM)
        script = f'#!/bin/sh\nexec {join((python, "-I", CLIENT))} "$@"\n'
        replace_whole(self.program, script.encode(), 0o700)

    def place(self, run: str, key: str) -> Place:
        """Return the folders of an agent. Raises ValueError for an id that is not of a run, OSError.

        Args:
            run: The run's id on the server.
            key: Key of the agent's job.
        """
        state = os.path.dirname(folder_of(run))
        project = os.path.join(self._root, _short(f"{queue_in(run)}:{os.path.dirname(state)}"))
        if not os.path.isdir(project):
            private_folder(project)
            for each in _projects()[:-MOST]:
                _delete(each)
        os.utime(project)
        name = re.sub(r"[^A-Za-z0-9.-]", "_", os.path.basename(state)).strip(".") or "run"
        mine = os.path.join(project, _short(run))
        folder = os.path.join(mine, _short(key)[:4], name)
        agents, repositories = (os.path.join(mine, each) for each in ("agents", "repositories"))
        for each in (agents, repositories, folder):
            private_folder(each)
        return Place(
            repository=os.path.join(project, REPOSITORY),
            folder=folder,
            repositories=repositories,
            agents=agents,
            tree=os.path.join(folder, "worktrees", f"{name}.{key}"),
            lock=os.path.join(agents, f"{key}{LOCK}"),
        )


def root() -> str:
    """Return the path of the cache. Raises OSError for a user without a home folder."""
    return os.path.join(cache_folder(), PLACE)


def sweep(days: int, dry_run: bool) -> tuple[str, ...]:
    """Delete the caches of projects that no agent has used for some days, and return their paths."""
    try:
        before = time.time() - days * 86_400
        old = [each for each in _projects() if os.stat(each).st_mtime < before and not _is_used(each)]
    except OSError:
        return ()
    return tuple(old) if dry_run else tuple(each for each in old if _delete(each))


def _projects() -> list[str]:
    """Return the projects' folders, the latest last."""
    found = [entry for entry in os.scandir(root()) if entry.is_dir(follow_symlinks=False)]
    return [entry.path for entry in sorted(found, key=lambda entry: entry.stat().st_mtime)]


def _is_used(project: str) -> bool:
    """Return True if a worker has an agent at work there."""
    files = (os.path.join(folder, name) for folder, _, names in _agents(project) for name in names)
    return any(is_held(path) for path in files if path.endswith(LOCK))


def _agents(project: str) -> "list[tuple[str, list[str], list[str]]]":
    runs = [entry.path for entry in os.scandir(project) if entry.is_dir(follow_symlinks=False)]
    return [found for run in runs for found in os.walk(os.path.join(run, "agents"))]


def _delete(project: str) -> bool:
    if _is_used(project):
        return False
    with suppress(OSError):
        shutil.rmtree(project)
    return not os.path.exists(project)


def _short(text: str) -> str:
    return sha256(text.encode(errors="surrogateescape")).hexdigest()[:12]
