"""The wanted state of an installation: its files, and its entries in clients' settings."""

from collections.abc import Iterable
from typing import Final

from attrs import frozen

from ...command import Command
from ...command.permissions import claude_rule, gemini_policy
from ...state.run_dirs import HOME, IGNORE
from ..start_commands import SKILL
from .clients import PLACES, Agent, Scope
from .sources import at_session_start, roles, skills
from .texts import here, skill_text

IGNORE_FILE: Final = f"{HOME}/{IGNORE}"
MANIFEST: Final = f"{HOME}/install.json"


@frozen
class File:
    """A file that is wholly ours; the path is below the root, with slashes."""

    path: str
    text: str


@frozen
class Entries:
    """Our entries in a client's settings file beside those of others: rules, and hooks for the start of a session."""

    path: str
    rules: tuple[str, ...]
    hooks: tuple[str, ...]


@frozen
class Wanted:
    """The wanted state of one installation."""

    files: tuple[File, ...]
    entries: tuple[Entries, ...]


def wanted(agents: Iterable[Agent], scope: Scope) -> Wanted:
    """Return the files and entries that the clients need. Raises WorkflowError for a skill that cannot be installed."""
    chosen = tuple(dict.fromkeys(agents))
    found, defined = skills(), roles()
    files: dict[str, str] = {}
    for folder in dict.fromkeys(PLACES[agent].skills for agent in chosen):
        for skill in found:
            files[f"{folder}/{skill.name}/{SKILL}"] = skill_text(skill, here)
            files |= {f"{folder}/{skill.name}/{name}": text for name, text in skill.beside}
    for agent in chosen:
        places = PLACES[agent]
        files |= {places.roles[scope].format(role.name): places.role_text(role) for role in defined}
    packages = tuple(dict.fromkeys(skill.package for skill in found))
    rules = tuple(filter(None, map(claude_rule, packages)))
    entries: list[Entries] = []
    for places in (PLACES[agent] for agent in chosen):
        if scope in places.policy:
            files[places.policy[scope]] = gemini_policy(packages)
        if scope in places.settings:
            hooks = tuple(str(Command(module, places.words)) for module in at_session_start())
            entries.append(Entries(places.settings[scope], () if places.policy else rules, hooks))
    return Wanted(tuple(File(path, text) for path, text in files.items()), tuple(entries))
