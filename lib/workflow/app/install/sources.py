"""Sources of an installation: the skills and agent roles of installed packages."""

import importlib
import importlib.util
import os
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ...errors import WorkflowError
from ...prompts.markdown import read_front_matter, read_text
from ...types import AgentRole
from ..skills.installed import added
from ..skills.packages import packages
from ..skills.start_commands import SKILL

ROLES: Final = "stepscript.roles"
"""Entry point group of packages that define roles: name = module:function, which returns definitions by role."""
SESSION: Final = "stepscript.session"
"""Entry point group of modules that run when a session starts: name = module."""
BROUGHT: Final = (AgentRole.ORCHESTRATOR, AgentRole.EXPLORE, AgentRole.GENERAL_PURPOSE)
"""Roles that every client has its own agents for: an installed role of the same name would replace them."""
MAX_NAME: Final = 64
MAX_DESCRIPTION: Final = 1024
"""Maximum characters (Agent Skills, "Frontmatter")."""
_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_BESIDE: Final = re.compile(r"`([\w-]+\.md)`")


class Skill(NamedTuple):
    """One skill, as its file describes it."""

    name: str
    description: str
    license: str | None
    body: str
    package: str
    """Package whose workflows it belongs to, such as `skills`."""
    home: str
    """Package of the skill itself, such as `skills.planner`."""
    beside: tuple[tuple[str, str], ...]
    """Name and text of the pages beside the file that it names."""


class Role(NamedTuple):
    """One role of an agent."""

    name: str
    description: str
    tools: tuple[str, ...]
    """Tools by their names in Claude Code."""
    text: str


def is_name(name: str) -> bool:
    """Return True for a name of a skill that clients accept (Agent Skills, "name")."""
    return len(name) <= MAX_NAME and bool(_NAME.fullmatch(name))


def skills(of: Sequence[str] | None = None) -> tuple[Skill, ...]:
    """Return the skills of the packages, by name; by default of all installed ones. Raises WorkflowError."""
    found: dict[str, Skill] = {}
    for package in packages() if of is None else of:
        for path in _skill_files(package):
            skill = _read(path, package)
            if skill.name in found:
                raise WorkflowError(
                    f"{path}: duplicate skill {skill.name!r}; the first is in {found[skill.name].package}"
                )
            found[skill.name] = skill
    return tuple(found[name] for name in sorted(found))


def roles() -> tuple[Role, ...]:
    """Return the roles that clients need, by name. Raises WorkflowError for a malformed definition."""
    found: dict[str, Role] = {}
    for value in added(ROLES).values():
        module, _, function = value.partition(":")
        for role, given in getattr(importlib.import_module(module), function)().items():
            if role not in BROUGHT:
                found[role] = Role(str(role), given.description, tuple(map(str, given.tools)), given.text)
    return tuple(found[name] for name in sorted(found))


def at_session_start() -> tuple[str, ...]:
    """Return the modules that run when a session starts."""
    return tuple(dict.fromkeys(added(SESSION).values()))


def _skill_files(package: str) -> Iterator[str]:
    spec = importlib.util.find_spec(package)
    for root in (spec.submodule_search_locations if spec else None) or ():
        for name in sorted(os.listdir(root)):
            path = os.path.join(root, name, SKILL)
            if os.path.isfile(path):
                yield path


def _read(path: str, package: str) -> Skill:
    front, body = read_front_matter(path, yaml=True)
    name, description = front.get("name", ""), front.get("description", "")
    if not is_name(name):
        raise WorkflowError(f"{path}: name: {name!r:.80}: use lower-case letters, digits and single hyphens")
    if not 0 < len(description) <= MAX_DESCRIPTION or not {"<", ">"}.isdisjoint(description):
        how = f"write at most {MAX_DESCRIPTION:,} characters, without < and >: what the skill does and when to use it"
        raise WorkflowError(f"{path}: description: {how}")
    folder = os.path.dirname(path)
    named = dict.fromkeys(_BESIDE.findall(body))
    pages = ((page, os.path.join(folder, page)) for page in named if page != SKILL)
    beside = tuple((page, read_text(where)) for page, where in pages if os.path.isfile(where))
    home = f"{package}.{os.path.basename(folder)}"
    return Skill(name, description, front.get("license"), body, package, home, beside)
