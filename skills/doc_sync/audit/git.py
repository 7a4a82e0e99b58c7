"""What git knows of a folder: which files are there, and which are ignored. It runs nothing that the folder brings."""

import os
import subprocess
import tempfile
from collections.abc import Iterable
from typing import Final

from lib.workflow.errors import UsageError
from lib.workflow.git import Said, ask_git

TIME: Final = 60
"""Seconds; a repository that takes longer is checked folder by folder."""
MAX_FILES: Final = 200_000


def listed(root: str) -> tuple[str, ...]:
    """Every path that git does not ignore, whether committed or not; a repository within ends with `/`."""
    status, out, errors = _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if status:
        raise UsageError(f"git cannot list the files of {root}: {errors.strip()}")
    paths = tuple(path for path in out.split("\0") if path)
    if len(paths) > MAX_FILES:
        raise UsageError(f"{root} holds {len(paths):,} files, more than {MAX_FILES:,}; give a smaller repository")
    return paths


def ignored(root: str, paths: Iterable[str]) -> frozenset[str]:
    """Those of the paths that git ignores, whether they exist or not; a folder's path ends with `/`."""
    _, out, _ = _git(root, "check-ignore", "-z", "--stdin", "--no-index", given="\0".join(paths))
    return frozenset(path for path in out.split("\0") if path)


def _git(root: str, *words: str, given: str = "") -> Said:
    """Runs git in a repository, or with an empty one of its own where there is none: `.gitignore` counts there too."""
    try:
        if os.path.lexists(os.path.join(root, ".git")):
            return ask_git(root, *words, given=given, seconds=TIME)
        with tempfile.TemporaryDirectory(prefix="doc-sync-") as empty:
            ask_git(empty, "init", "--quiet", "--bare", ".")
            return ask_git(root, "--git-dir", empty, "--work-tree", root, *words, given=given, seconds=TIME)
    except FileNotFoundError:
        raise UsageError(
            "git is not installed; the check asks it which files are there and which are ignored"
        ) from None
    except subprocess.TimeoutExpired:
        raise UsageError(f"git was not done after {TIME} seconds in {root}; check a smaller folder") from None
