"""Launcher of a skill's module by the interpreter that has it: `python3 launcher.py [--quiet] MODULE WORD…`.

It works alone, in a plugin without any installation: it needs only Python 3. Without an interpreter that has the
skills it prints the command to type and exits with status 3; with `--quiet` it prints nothing.
"""

from __future__ import annotations  # it may run under a Python that is too old for the skills

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence

PACKAGE = "stepscript"
SOURCE = "stepscript"
WAITING = 3
ALONE = ("-E", "-P")
"""Python options that ignore PYTHONPATH and the working directory, which may hold packages with our names."""
PROBE = "import importlib.metadata as m; import lib.workflow.core, skills; print(m.version('stepscript'))"


def homes() -> Iterator[str]:
    """Yield candidate interpreters: the user's choice, this one, that of the installed program, the usual folders."""
    said = os.environ.get("STEPSCRIPT_PYTHON")
    if said:
        yield said
    yield sys.executable
    path = os.pathsep.join(filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(os.pathsep)))
    program = shutil.which(PACKAGE, path=path)
    if program:
        yield beside(os.path.realpath(program))
    data = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    for parts in (("uv", "tools"), ("pipx", "venvs"), ()):
        yield beside(os.path.join(data, *parts, PACKAGE, "Scripts" if os.name == "nt" else "bin", PACKAGE))


def beside(program: str) -> str:
    """Return the interpreter in the folder of an installed program."""
    return os.path.join(os.path.dirname(program), "python.exe" if os.name == "nt" else "python")


def has_it(python: str) -> bool:
    """Return True if an interpreter can run the skills, from any folder."""
    if not os.path.isfile(python):
        return False
    try:
        tried = subprocess.run([python, *ALONE, "-c", PROBE], capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return tried.returncode == 0


def main(words: Sequence[str]) -> int:
    """Become the module's process, or say what is missing."""
    quiet = list(words[:1]) == ["--quiet"]
    words = words[1:] if quiet else words
    if not words or words[0].startswith("-"):
        sys.stderr.write((__doc__ or "") + "\n")
        return 2
    for python in dict.fromkeys(filter(os.path.isabs, homes())):  # a relative one could be a repository's
        if has_it(python):
            command = [python, *ALONE, "-m", *words]
            if os.name == "nt":  # there, a process that replaces itself is not waited for
                return subprocess.run(command, check=False).returncode
            os.execv(python, command)  # noqa: S606 - no shell is meant
    if quiet:
        return 0
    private = os.path.join("~", ".local", "share", PACKAGE)
    print("The skills need a Python package that is not installed. Ask the user to run one of these lines, then go on:")
    print(f"\n    uv tool install {SOURCE}\n    pipx install {SOURCE}")
    print(f"    python3 -m venv {private} && {private}/bin/pip install {SOURCE}")
    return WAITING


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
