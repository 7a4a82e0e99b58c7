"""The skills as a plugin, in a layout that every client accepts: skills, roles, a hook, and four manifests."""

import json
import os
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageMetadata
from typing import Final

from ...errors import RefusedError
from ..skills.start_commands import SKILL
from .distribution import DISTRIBUTION, installed
from .launcher import launcher, lines
from .sources import Skill, at_session_start, roles, skills
from .texts import plain_role, skill_text
from .tree import Tree

SCHEMA: Final = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
LAUNCHER: Final = "scripts/launcher.sh"
NOTE: Final = f"""\
`{LAUNCHER}` is in the folder of this file: write its absolute path. It finds the Python that has the skills,
or says what the user must install (exit status 3). The commands that steps print already name that Python."""


def bundle(sources: Sequence[str], packages: Sequence[str]) -> Mapping[str, str]:
    """Return the text of each file by path.

    Args:
        sources: What users install the distributions from by pip; the first is stepscript's.
        packages: The packages whose skills it has.

    Raises:
        RefusedError: If the installation has no licence.
    """
    own, chosen = installed(), skills(packages)
    script = launcher(sources)
    files = {**_manifests(own.metadata, packages), LAUNCHER: script, "README.md": _readme(lines(sources)[0], chosen)}
    for skill in chosen:
        folder = f"skills/{skill.name}"
        files[f"{folder}/{SKILL}"] = skill_text(skill, lambda module: f"sh {LAUNCHER} -m {module}", NOTE)
        files[f"{folder}/{LAUNCHER}"] = script
        files |= {f"{folder}/{name}": text for name, text in skill.beside}
    files |= {f"agents/{role.name}.md": plain_role(role) for role in roles()}
    license_text = own.read_text("licenses/LICENSE")
    if not license_text:
        what = f"the installation of {DISTRIBUTION} lacks its LICENSE, which a plugin must bring"
        raise RefusedError("no-licence", DISTRIBUTION, what, "Install it again, from a wheel or with pip.")
    return {**files, "LICENSE": license_text}


def write(files: Mapping[str, str], folder: str) -> None:
    """Write a bundle into a folder that is missing or empty. Raises RefusedError for another."""
    if os.path.lexists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
        raise RefusedError(
            "not-empty", folder, "it exists and is not an empty folder", "name a folder that does not exist"
        )
    os.makedirs(folder, exist_ok=True)
    tree = Tree(folder)
    for path, text in files.items():
        tree.write(path, text.encode())


def _manifests(about: PackageMetadata, packages: Sequence[str]) -> Mapping[str, str]:
    name, version, summary = DISTRIBUTION, about["Version"], about["Summary"]
    plugin = {"name": name, "version": version, "description": summary, "license": about["License-Expression"]}
    modules = [name for name in at_session_start() if name.startswith(tuple(f"{package}." for package in packages))]
    owner = {"name": f"The authors of {name}"}
    listed = [{"name": name, "source": "./", "description": summary}]
    market = {"name": f"{name}-skills", "description": summary, "owner": owner, "plugins": listed}
    documents: dict[str, object] = {
        ".claude-plugin/plugin.json": {**plugin, "author": owner},
        ".claude-plugin/marketplace.json": market,
        "plugin.json": {"$schema": SCHEMA, **plugin, "author": owner},
        "gemini-extension.json": {"name": name, "version": version},
        "hooks/hooks.json": {"hooks": {"SessionStart": [{"hooks": [_hook(module) for module in modules]}]}},
    }
    return {path: json.dumps(document, indent=2) + "\n" for path, document in documents.items()}


def _hook(module: str) -> Mapping[str, str]:
    # clients that read the file but do not set the variable must start without an error
    root = '"${CLAUDE_PLUGIN_ROOT}"'
    command = f"test ! -f {root}/{LAUNCHER} || sh {root}/{LAUNCHER} --quiet -m {module}"
    return {"type": "command", "command": command}


def _readme(line: str, chosen: Sequence[Skill]) -> str:
    listed = "\n".join(f"* **{skill.name}**: {skill.description}" for skill in chosen)
    return f"# {DISTRIBUTION}\n\nThe skills run Python packages: `{line}`.\n\n{listed}\n"
