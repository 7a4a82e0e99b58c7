"""Every script and every command of the project, found automatically."""

import io
import os
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from lib.workflow.app.main import COMMANDS, main
from lib.workflow.testing.inprocess import run_module
from lib.workflow.testing.process import Ran
from tests.subjects import ROOT

_SCRIPT: Final = re.compile(r"^if __name__ == .__main__.:$", re.MULTILINE)
STEPSCRIPT: Final = "stepscript"
"""The module of the command."""


@cache
def scripts() -> tuple[str, ...]:
    """Return the modules of skills that commands name after `python -m`."""
    files = sorted(Path(ROOT, "skills").rglob("*.py"))
    found = (path for path in files if _SCRIPT.search(path.read_text(encoding="utf-8")))
    return tuple(".".join(path.relative_to(ROOT).with_suffix("").parts) for path in found)


@cache
def starts() -> tuple[tuple[str, ...], ...]:
    """Return the words after the interpreter of each script, and of each command of `stepscript`."""
    return (
        *(("-m", module) for module in scripts()),
        *(("-m", STEPSCRIPT, command) for command in COMMANDS),
    )


def named(start: tuple[str, ...]) -> str:
    """Return the script or the command, as the id of a test."""
    return start[-1]


def run_start(start: tuple[str, ...], words: Sequence[str], given: bytes = b"") -> Ran:
    """Return the result of a script or a command with these words, in this process."""
    if start[1] != STEPSCRIPT:
        return run_module(start[1], words, given)
    out, errors = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(errors):
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        try:
            status: object = main([start[-1], *words])
        except SystemExit as stopped:
            status = stopped.code
    return Ran(status if isinstance(status, int) else 1, out.getvalue(), errors.getvalue())


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a script's process: home, cache and state are its own."""
    homes = dict.fromkeys(("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "TMPDIR"), str(home))
    return {"PATH": os.environ["PATH"], "PYTHONPATH": ROOT, **homes}
