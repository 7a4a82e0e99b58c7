"""What git says has changed in a project's working tree."""

import os
import subprocess
from typing import Final

GIT: Final = ("git", "--no-optional-locks", "-c", "core.quotePath=false", "-c", "core.fsmonitor=false")
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
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        run = subprocess.run(
            (*GIT, *words), cwd=project, env=environment, capture_output=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return None if run.returncode else run.stdout.decode(errors="replace")
