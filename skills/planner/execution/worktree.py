"""Changes in a project's working tree, as git reports them."""

import subprocess
from typing import Final

from lib.workflow.state.git import ask_git

STATUS: Final = ("--porcelain", "-z", "--untracked-files=all", "--no-renames", "--", ".")
HEAD: Final = "HEAD"
SECONDS: Final = 30.0
MAX_SAID: Final = 200


def commit_of(project: str) -> str:
    """Return the last commit of a project. Raises ValueError, with git's message, if git fails."""
    return _said(project, "rev-parse", "--verify", HEAD).strip()


def changed(project: str, base: str = HEAD) -> tuple[str, ...]:
    """Return the paths that differ from a commit, or from the last one, relative to the project's folder.

    Raises ValueError, with git's message, if git fails.
    """
    found = [entry[3:] for entry in _said(project, "status", *STATUS).split("\0") if entry]
    if base != HEAD:
        found += filter(None, _said(project, "diff", "--name-only", "-z", "--no-renames", base, HEAD).split("\0"))
    above = _said(project, "rev-parse", "--show-prefix").removesuffix("\n")
    return tuple(sorted({path.removeprefix(above) for path in found if path.startswith(above)}))


def is_detached(project: str) -> bool:
    """Return True if the project's repository has no branch checked out, so that a commit would be on none."""
    try:
        _said(project, "rev-parse", "--verify", "HEAD")
    except ValueError:
        return False
    try:
        return not _said(project, "symbolic-ref", "--quiet", "HEAD")
    except ValueError:
        return True


def is_tracked(project: str, folder: str) -> bool:
    """Return True if the project's repository holds files of a folder below it. Returns False if git fails."""
    try:
        return bool(_said(project, "ls-files", "-z", "--", folder))
    except ValueError:
        return False


def _said(project: str, question: str, *words: str) -> str:
    try:
        said = ask_git(project, question, *words, seconds=SECONDS)
    except subprocess.TimeoutExpired:
        raise ValueError(f"git did not finish within {SECONDS:g} seconds") from None
    except OSError as error:
        raise ValueError(f"git cannot read the folder: {error.strerror or error}") from None
    if said.status:
        raise ValueError(f"git says: {' '.join(said.errors.split())[:MAX_SAID] or 'nothing'}")
    return said.out.encode(errors="surrogateescape").decode(errors="replace")
