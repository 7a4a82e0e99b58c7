"""Users who install stepscript from a wheel, each with another tool, in an empty home folder."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.subjects import ROOT
from tests.wheels import built

TOOLS = ("pip", "uv tool", "pipx")
_NETWORK = re.compile(r"(?:PIP|UV|SSL|REQUESTS)_|\w+_PROXY$", re.IGNORECASE)
"""Names of the variables that say how a package index is reached."""
OFFLINE = ("dns error", "failed to fetch", "connection", "could not find a version", "network")
"""Messages of a tool that reaches no package index."""


def wheel_of_ours(folder: Path) -> Path:
    """Build a wheel of this checkout from a copy, because a build leaves files beside the source."""
    source = folder / "source"
    for name in ("lib", "skills", "stepscript"):
        shutil.copytree(Path(ROOT, name), source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(Path(ROOT, name), source)
    return built(source)


class User:
    """A user with an empty home folder, a client, and a project."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project, self.programs = folder / "home", folder / "project", folder / "programs"
        for made in (self.home, self.project / ".git", self.programs):
            made.mkdir(parents=True)
        (self.programs / "claude").write_text("#!/bin/sh\n")
        (self.programs / "claude").chmod(0o755)
        path = [self.home / ".local/bin", folder / "environment/bin", self.programs]
        self.environment: Mapping[str, str] = {
            "PATH": os.pathsep.join([*map(str, path), os.defpath]),
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
            "UV_PYTHON": sys.executable,
            "PIPX_DEFAULT_PYTHON": sys.executable,
            **{name: value for name, value in os.environ.items() if _NETWORK.match(name)},
        }

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
        passed = (
            ".local/share/",
            ".local/bin/",
            ".local/state/stepscript/trust/",
            ".local/state/pipx/",
            ".cache/uv",
            ".cache/pip",
        )
        every = (path for folder in (self.home, self.project) for path in folder.rglob("*") if path.is_file())
        named = {os.path.relpath(path, self.home): path for path in every}
        return {name: path.read_bytes() for name, path in named.items() if not name.startswith(passed)}


def install(tool: str, wheel: Path, user: User) -> None:
    """Install the wheel as its page says. Skips the test if the tool is missing, or reaches no package index."""
    if tool == "pip":
        folder = user.home.parent / "environment"
        venv.create(folder, symlinks=True)
        (site,) = folder.glob("lib/*/site-packages")
        # the dependencies are those of this environment, so that no index is needed
        (site / "packages.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!a})\n")
        words = [sys.executable, "-m", "pip", "--python", f"{folder}/bin/python"]
        subprocess.run(
            [*words, "install", "-q", "--no-index", "--no-deps", "--force-reinstall", str(wheel)], check=True
        )
        return
    program = shutil.which(tool.split()[0])
    if program is None:
        pytest.skip(f"{tool.split()[0]} is not here")
    (user.programs / tool.split()[0]).symlink_to(program)
    done = user.run(f"{tool} install '{wheel}'")
    if done.returncode and any(text in done.stderr.lower() for text in OFFLINE):
        pytest.skip(f"{tool} reaches no package index: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
