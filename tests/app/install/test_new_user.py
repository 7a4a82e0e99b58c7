"""A new user: a new environment, an empty home folder, an installation, a step and back."""

import os
import shutil
import subprocess
import sysconfig
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clients.installed import NAMES, first_command
from tests.subjects import ROOT


def run(command: str, folder: Path, home: Path) -> str:
    state = str(home.parent / "state")  # runs are not part of an installation
    environment = {"HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8", "XDG_STATE_HOME": state}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def linked(folder: Path) -> str:
    """Create an environment that has the packages of this one, without being it."""
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/*/site-packages")
    (site / "packages.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    return f"{folder}/bin/python -m stepscript"


def made(folder: Path) -> str:
    """Create an environment with a copy of the project, as pip does; building leaves files beside the source."""
    source = folder.with_name("source")
    for name in ("lib", "skills", "stepscript"):
        shutil.copytree(Path(ROOT, name), source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(Path(ROOT, name), source)
    venv.create(folder, with_pip=True)
    subprocess.run([f"{folder}/bin/python", "-m", "pip", "install", "-q", str(source)], check=True)
    return f"{folder}/bin/stepscript"


def tree(*folders: Path) -> dict[Path, bytes | None]:
    """Return everything in the folders, and the content of each file."""
    return {path: path.read_bytes() if path.is_file() else None for folder in folders for path in folder.rglob("*")}


def lived_in(folder: Path) -> None:
    """Create a user's own files in places where an installation writes too."""
    for name, text in OWN.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


OWN = {
    ".claude/settings.json": '{\n  "model": "opus",\n  "permissions": {\n    "allow": [\n      "Bash(ls)"\n    ]\n  }\n}\n',
    ".claude/settings.local.json": '{\n    "theme": "dark"\n}\n',
    ".claude/skills/mine/SKILL.md": "mine\n",
    ".gemini/settings.json": '{\n\t"theme": "é"\n}\n',
    ".gemini/policies/mine.toml": "",
}


@pytest.mark.parametrize(
    ("make", "scope"),
    [
        (linked, "project"),
        (linked, "user"),
        pytest.param(made, "project", marks=pytest.mark.clients),
        pytest.param(made, "user", marks=pytest.mark.clients),
    ],
)
def test_a_new_user_installs_runs_one_command_of_each_skill_and_leaves_no_trace(
    make: Callable[[Path], str], scope: str, tmp_path: Path
) -> None:
    project, home, work = tmp_path / "pro ject", tmp_path / "home", tmp_path / "work"
    for folder in (project, home, work):
        folder.mkdir()
    lived_in(project if scope == "user" else home)  # nothing is installed there this time
    before = tree(project, home)
    stepscript = make(tmp_path / "environment")
    run(f"{stepscript} install --scope {scope} --agent claude --agent codex --yes", project, home)
    root = project if scope == "project" else home
    commands = [first_command(root / ".claude/skills" / name / "SKILL.md", work) for name in sorted(NAMES)]
    assert all(
        command.startswith(f"{tmp_path}/state/stepscript/launch {tmp_path}/environment/bin/python -I -m ")
        for command in commands
    )
    assert run("\n".join(commands), work, home).count("<step_header") == len(NAMES)
    run(f"{stepscript} install --scope {scope} --check", project, home)
    run(f"{stepscript} doctor", project, home)
    run(f"{stepscript} uninstall --scope {scope} --yes", project, home)
    assert tree(project, home) == before
    assert os.listdir(tmp_path / "state/stepscript") == ["trust"]
    lived_in(root)
    before = tree(project, home)
    run(f"{stepscript} install --scope {scope} --agent claude --agent codex --yes", project, home)
    assert tree(project, home) != before
    run(f"{stepscript} uninstall --scope {scope} --yes", project, home)
    assert tree(project, home) == before
