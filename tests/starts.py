"""The imports of a process, and the forbidden ones."""

import os
import subprocess
import sys
from functools import cache
from typing import Final

BROUGHT: Final = "atexit, attrs, errno, gc, runpy"
"""The base of every script, which may import all that these import."""
HEAVY: Final = frozenset(
    {"argparse", "lxml", "click", "pathlib", "json", "dataclasses", "importlib.metadata", "shutil", "rich", "difflib"}
)
"""Modules that no step may import, by any route."""


def imported(*arguments: str, status: int = 0, given: str = "") -> set[str]:
    """Return the modules that a process imports, without itself. It must end with the exit status."""
    command = [sys.executable, "-P", "-X", "importtime", *arguments]
    environment = {"XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]}
    run = subprocess.run(
        command, capture_output=True, cwd="/", env=environment, encoding="utf-8", check=False, input=given
    )
    assert run.returncode == status, run.stdout
    return {line.rpartition("|")[2].strip() for line in run.stderr.splitlines()[1:] if line.startswith("import time:")}


@cache
def imported_by(names: str) -> frozenset[str]:
    """Return the modules that an import of these imports: names separated by commas."""
    return frozenset(imported("-c", f"import {names}"))


def brought() -> frozenset[str]:
    """Return the modules that every script may import, besides ours."""
    return imported_by(BROUGHT)
