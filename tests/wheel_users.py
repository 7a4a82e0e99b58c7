"""Users who install stepscript from a wheel, each with another tool, in an empty home folder."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

import pytest

from lib.workflow.command.quoting import quote
from tests.documents import Block
from tests.pythons import OURS, pythons
from tests.subjects import ROOT

TOOLS = ("pip", "uv tool", "pipx")
_NETWORK = re.compile(r"(?:PIP|UV|SSL|REQUESTS)_|\w+_PROXY$", re.IGNORECASE)
"""Names of the variables that say how a package index is reached."""
_PASSED = (
    ".local/share/",
    ".local/bin/",
    ".local/state/stepscript/trust/",
    ".local/state/pipx/",
    ".cache/uv",
    ".cache/pip",
)
"""Folders of installing tools, and of the key that marks a user's runs."""
OFFLINE = ("dns error", "failed to fetch", "connection", "could not find a version", "network")
"""Messages of a tool that reaches no package index."""


LEFT_OVER = "build/lib/lib/left_over.py"
"""File that an earlier build has left in a checkout."""


def wheel_of_ours(folder: Path) -> Path:
    """Build a wheel as `make wheel` does, in a copy of this checkout that has files of earlier builds."""
    source = folder / "source"
    for name in ("lib", "skills", "stepscript"):
        shutil.copytree(Path(ROOT, name), source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "Makefile", ".gitignore"):
        shutil.copy(Path(ROOT, name), source)
    (source / ".venv").symlink_to(sys.prefix)
    (source / LEFT_OVER).parent.mkdir(parents=True)
    (source / LEFT_OVER).touch()
    for words in (["git", "init", "-q"], ["git", "add", "--all"], ["make", "-s", "wheel", "READY="]):
        subprocess.run(words, cwd=source, env={**os.environ, "HOME": str(folder)}, check=True, capture_output=True)
    (wheel,) = (source / "dist").glob("*.whl")
    return wheel


class User:
    """A user with an empty home folder, a client, a project, and one tool that installs programs."""

    def __init__(self, folder: Path, tool: str = "", python: str = sys.executable) -> None:
        """Make the folders.

        Args:
            folder: An empty folder.
            tool: One of TOOLS, or a program that installs. The test is skipped if this machine lacks it.
            python: What the user types as `python3`, and what the tool uses.
        """
        self.python = python
        self.home, self.project, self.programs = folder / "home", folder / "project", folder / "programs"
        for made in (self.home, self.project / ".git", self.programs):
            made.mkdir(parents=True)
        self._program("claude", "")
        self._program("python3", f'exec {quote(python)} "$@"')
        if tool not in ("", "pip"):
            name = tool.split()[0]
            program = shutil.which(name)
            if program is None:
                pytest.skip(f"{name} is not here")
            (self.programs / name).symlink_to(program)
        path = [self.home / ".local/bin", self.programs]
        self.environment: Mapping[str, str] = {
            "PATH": os.pathsep.join([*map(str, path), os.defpath]),
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
            "UV_PYTHON": python,
            "PIPX_DEFAULT_PYTHON": python,
            **{name: value for name, value in os.environ.items() if _NETWORK.match(name)},
        }

    def _program(self, name: str, line: str) -> None:
        (self.programs / name).write_text(f"#!/bin/sh\n{line}\n")
        (self.programs / name).chmod(0o755)

    def run(self, command: str, answer: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run a shell line in the project; with an answer, on a terminal at which the user types it."""
        given: int | None = subprocess.DEVNULL
        if answer is not None:
            master, given = os.openpty()
            os.write(master, answer.encode())
        words = ["/bin/sh", "-c", command]
        return subprocess.run(
            words, cwd=self.project, env=self.environment, stdin=given, capture_output=True, text=True, check=False
        )

    def files(self) -> dict[str, bytes]:
        """Return the user's files, without those of the tool that installs, its caches, and the key of runs."""
        every = (path for folder in (self.home, self.project) for path in folder.rglob("*") if path.is_file())
        named = {os.path.relpath(path, self.home): path for path in every}
        return {name: path.read_bytes() for name, path in named.items() if not name.startswith(_PASSED)}

    def programs_left(self) -> list[str]:
        """Return what is called like us and not in a cache."""
        every = (os.path.relpath(path, self.home) for path in self.home.rglob("stepscript*"))
        return [name for name in every if not name.startswith((".cache/", ".local/state/"))]


def type_block(block: Block, user: User, wheel: Path) -> None:
    """Type a block of a page, with the wheel as its PLACE, and `y` where it asks.

    With pip and our Python, the dependencies are those of this environment, so that no package index is needed. Skips
    the test if the block needs an index and reaches none.
    """
    borrows = block.marks["user"] == "pip" and user.python == pythons()[OURS]
    offline = "export PIP_NO_INDEX=1 PIP_NO_DEPS=1; " if borrows else ""
    done = user.run(offline + block.text.replace("PLACE", quote(str(wheel))), answer="y\n")
    if done.returncode and any(text in done.stderr.lower() for text in OFFLINE):
        pytest.skip(f"no package index: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stdout + done.stderr
    for site in user.home.glob(".local/share/stepscript/lib/*/site-packages" if borrows else "no environment"):
        (site / "packages.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!a})\n")
