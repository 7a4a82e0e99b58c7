"""What git says has changed in a project's working tree."""

import subprocess
from typing import Final

from lib.workflow.git import ask_git

STATUS: Final = ("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--", ".")
PREFIX: Final = ("rev-parse", "--show-prefix")
SECONDS: Final = 30.0


def changed(project: str) -> tuple[str, ...] | None:
    """The paths below the project that differ from the last commit, from its folder on; None where git cannot tell."""
    found, prefix = _said(project, STATUS), _said(project, PREFIX)
    if found is None or prefix is None:
        return None
    above = prefix.removesuffix("\n")
    return tuple(sorted(entry[3:].removeprefix(above) for entry in found.split("\0") if entry))


def _said(project: str, words: tuple[str, ...]) -> str | None:
    try:
        said = ask_git(project, *words, seconds=SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return None if said.status else said.out.encode(errors="surrogateescape").decode(errors="replace")
