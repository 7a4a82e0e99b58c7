"""The Pythons of this machine that stepscript supports."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

OURS: Final = f"{sys.version_info[0]}.{sys.version_info[1]}"
_MINORS: Final = range(11, 15)
_ASK: Final = "import ensurepip, sys, venv; print(sys.executable, *sys.version_info[:2])"


@cache
def pythons() -> dict[str, str]:
    """Return one interpreter for each version, such as `3.12`, that can make environments; ours is always there."""
    found = {OURS: os.path.realpath(sys.executable)}
    for minor in _MINORS:
        answers = map(_asked, _paths(f"python3.{minor}")) if f"3.{minor}" not in found else ()
        version, program = next((each for each in answers if each[0]), ("", ""))
        if version:
            found.setdefault(version, program)
    return dict(sorted(found.items()))


def _paths(name: str) -> Iterator[Path]:
    """Yield programs of a name: those on the path, and those that pyenv has without showing them there."""
    folders = [Path(folder) for folder in os.environ.get("PATH", os.defpath).split(os.pathsep)]
    for folder in folders:
        yield folder / name
        if folder.name == "shims":
            yield from sorted(folder.parent.glob(f"versions/*/bin/{name}"))


def _asked(path: Path) -> tuple[str, str]:
    """Return the version and the path of a Python; empty if it does not work."""
    if not path.exists():
        return "", ""
    done = subprocess.run([path, "-I", "-c", _ASK], capture_output=True, text=True, check=False)
    program, _, version = done.stdout.strip().rpartition(" 3 ")
    return (f"3.{version}", program) if done.returncode == 0 else ("", "")
