"""What a process imports, and what none of ours may."""

import os
import subprocess
import sys
from functools import cache
from typing import Final

BROUGHT: Final = "import argparse, attrs, errno, gc, runpy"
"""What every script stands on; all that these import, a script may."""
HEAVY: Final = frozenset(
    {"lxml", "click", "pathlib", "json", "dataclasses", "importlib.metadata", "shutil", "rich", "difflib"}
)
"""Not on the way of any step, whoever brings it."""


def imported(*arguments: str, status: int = 0, given: str = "") -> set[str]:
    """The modules that a process imports, itself aside. It must end with the exit status."""
    command = [sys.executable, "-P", "-X", "importtime", *arguments]
    environment = {"XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]}
    run = subprocess.run(
        command, capture_output=True, cwd="/", env=environment, encoding="utf-8", check=False, input=given
    )
    assert run.returncode == status, run.stdout
    return {line.rpartition("|")[2].strip() for line in run.stderr.splitlines()[1:] if line.startswith("import time:")}


@cache
def brought() -> set[str]:
    """The modules that every script may import, besides ours."""
    return imported("-c", BROUGHT)
