"""A project with installed skills, a plugin of them, and the first command that each skill file gives."""

import os
import re
from pathlib import Path

from lib.workflow.app.install.bundle import bundle, write
from lib.workflow.app.install.clients import Scope
from lib.workflow.app.install.sources import roles, skills
from lib.workflow.app.install.tree import Tree
from lib.workflow.app.install.work import Asked, install

NAMES = frozenset(skill.name for skill in skills())
ROLES = frozenset(role.name for role in roles())
_FIRST = re.compile(r"^    (.* --step 1\b.*)$", re.MULTILINE)


def project(folder: Path) -> Path:
    """Install everything for every client in a folder, and return the folder."""
    folder.mkdir(exist_ok=True)
    install(Tree(str(folder)), Asked(), Scope.PROJECT)
    return folder


def plugin(folder: Path) -> Path:
    """Write the skills as a plugin, made from this checkout, and return the folder."""
    write(bundle(["stepscript"], ["skills"]), str(folder))
    return folder


def first_command(skill_file: Path, scope: Path) -> str:
    """Return the first command of a skill file, with its placeholders filled in."""
    found = _FIRST.search(skill_file.read_text())
    assert found, skill_file
    command = found[1].replace("/absolute/path/of/what/to/examine", str(scope))
    return command.replace("scripts/launcher.sh", str(skill_file.parent / "scripts" / "launcher.sh"))


def skill_files(folder: Path) -> list[Path]:
    """Return every skill file below a folder of skills."""
    return [folder / name / "SKILL.md" for name in sorted(os.listdir(folder))]
