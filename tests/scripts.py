"""Every script and every command of the project, found by itself."""

import os
import re
from functools import cache
from pathlib import Path
from typing import Final

from lib.workflow.app.main import COMMANDS
from tests.subjects import ROOT

_SCRIPT: Final = re.compile(r"^if __name__ == .__main__.:\n    raise SystemExit\(", re.MULTILINE)
STEPSCRIPT: Final = "from lib.workflow.app.entry import main; raise SystemExit(main())"
"""What the console script of that name does."""


@cache
def scripts() -> tuple[str, ...]:
    """The modules of skills that commands name behind `python -m`."""
    files = sorted(Path(ROOT, "skills").rglob("*.py"))
    found = (path for path in files if _SCRIPT.search(path.read_text(encoding="utf-8")))
    return tuple(".".join(path.relative_to(ROOT).with_suffix("").parts) for path in found)


@cache
def starts() -> tuple[tuple[str, ...], ...]:
    """The words behind the interpreter of each script, and of each command of `stepscript`."""
    return (
        *(("-m", module) for module in scripts()),
        *(("-c", STEPSCRIPT, command) for command in COMMANDS),
    )


def named(start: tuple[str, ...]) -> str:
    """The script or the command, as the id of a test."""
    return start[-1]


def environment(home: Path) -> dict[str, str]:
    """What the process of a script is told: no home, cache or state but one of its own."""
    homes = dict.fromkeys(("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "TMPDIR"), str(home))
    return {"PATH": os.environ["PATH"], "PYTHONPATH": ROOT, **homes}
