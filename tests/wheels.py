"""Wheels of other packages, and environments in which they are installed beside stepscript."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path


def built(project: Path) -> Path:
    """Build a wheel with the setuptools of this environment, and return it."""
    words = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", "dist", "."]
    subprocess.run(words, cwd=project, env={**os.environ, "HOME": str(project)}, check=True)
    (wheel,) = (project / "dist").glob("*.whl")
    return wheel


def environment(folder: Path, *wheels: Path) -> Path:
    """Create an environment with stepscript and the wheels, and return its folder of programs."""
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/*/site-packages")
    (site / "packages.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!a})\n")
    for wheel in wheels:
        shutil.unpack_archive(wheel, site, "zip")
    return folder / "bin"


def run(program: Path, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [str(program / "python"), "-I", "-m", "stepscript", *words]
    clean = {"PATH": os.defpath, "HOME": str(program.parent), "LANG": "C.UTF-8"}
    return subprocess.run(command, cwd=cwd, env=clean, capture_output=True, text=True, check=False)
