"""git's view of a folder: its files, and the ignored ones. It runs nothing that the folder brings."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from lib.workflow.errors import UsageError
from lib.workflow.state import git

MAX_FILES: Final = 200_000


def listed(root: str) -> tuple[str, ...]:
    """Return every path that git does not ignore, committed or not. A repository inside ends with `/`."""
    with _repository(root) as options:
        paths = git.listed(root, *options)
    if len(paths) > MAX_FILES:
        raise UsageError(f"{root} holds {len(paths):,} files, more than {MAX_FILES:,}; give a smaller repository")
    return paths


def ignored(root: str, paths: Iterable[str]) -> frozenset[str]:
    """Return the paths that git ignores, existing or not. A folder's path ends with `/`."""
    words = ("-z", "--stdin", "--no-index")
    with _repository(root) as options:
        said = git.asked(root, "check-ignore", *words, options=options, given="\0".join(paths))
    return frozenset(filter(None, said.out.split("\0")))


@contextmanager
def _repository(root: str) -> Iterator[tuple[str, ...]]:
    """Yield the options with which git treats a folder as a repository: none for a real one, else an empty one.

    So `.gitignore` counts there, too.
    """
    if os.path.lexists(os.path.join(root, ".git")):
        yield ()
        return
    with tempfile.TemporaryDirectory(prefix="doc-sync-") as empty:
        git.asked(empty, "init", "--quiet", "--bare", ".")
        yield "--git-dir", empty, "--work-tree", root
