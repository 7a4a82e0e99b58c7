"""The wanted state of an installation: its files, and its entries in clients' settings."""

from collections.abc import Iterable, Iterator
from typing import Final

from attrs import frozen

from ...command.permissions import claude_rule, gemini_policy
from ...command.quoting import quote
from ...errors import UsageError
from ...state.own_skills import PACKAGE
from ...state.run_dirs import HOME, IGNORE
from ...util.suggest import expected
from ..skills.start_commands import SKILL
from .clients import PLACES, Agent, Scope
from .host import starter
from .sources import MAX_NAME, Skill, at_session_start, is_name, roles, skills
from .texts import here, skill_text
from .upgrade.stamp import stamped

LOCAL: Final = "SKILL.local.md"
"""A user's own additions to a skill. Nothing of ours writes or removes the file."""
NOTE: Final = f"If `{LOCAL}` is beside this file, read it now: the user's additions to this skill, which come first."
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


@frozen
class Selection:
    """The chosen clients and skills of an installation."""

    agents: tuple[Agent, ...]
    skills: tuple[str, ...] = ()
    """Names of the skills; all, if empty."""
    prefix: str = ""
    """Beginning of the names under which clients know the skills."""


def chosen_skills(names: Iterable[str], prefix: str = "") -> tuple[Skill, ...]:
    """Return the skills of these names, or all of them, with the prefix before each name.

    Raises WorkflowError for a skill that cannot be installed, and UsageError for an unknown name or a prefix with which
    a name is not valid.
    """
    every, chosen = skills(), tuple(names)
    known = {skill.name for skill in every}
    for name in chosen:
        if name not in known:
            raise UsageError(f"no installed skill is named {name!r:.60}; {expected(name, known)}")
    for name in known:
        if prefix and not is_name(f"{prefix}{name}"):
            raise UsageError(
                f"the prefix {prefix!r:.60} gives no valid name: use lower-case letters, digits and single hyphens, "
                f"such as my-; at most {MAX_NAME - len(max(known, key=len))} characters"
            )
    return tuple(skill._replace(name=f"{prefix}{skill.name}") for skill in every if not chosen or skill.name in chosen)


def wanted(selection: Selection, scope: Scope) -> Wanted:
    """Return the files and entries that the clients need. Raises the errors of `chosen_skills`."""
    found, defined = chosen_skills(selection.skills, selection.prefix), roles()
    if scope is Scope.USER:
        found = tuple(skill for skill in found if skill.package != PACKAGE)
    files: dict[str, str] = {}
    for folder in dict.fromkeys(PLACES[agent].skills for agent in selection.agents):
        for skill in found:
            files[f"{folder}/{skill.name}/{SKILL}"] = skill_text(skill, here, NOTE)
            files |= {f"{folder}/{skill.name}/{name}": text for name, text in skill.beside}
    for agent in selection.agents:
        places = PLACES[agent]
        files |= {places.roles[scope].format(role.name): places.role_text(role) for role in defined}
    packages = tuple(dict.fromkeys(skill.package for skill in found))
    programs = (starter.path(), "")
    rules = tuple(filter(None, (claude_rule(package, program) for program in programs for package in packages)))
    modules = tuple(_at_session_start(found))
    entries: list[Entries] = []
    for places in (PLACES[agent] for agent in selection.agents):
        if scope in places.policy:
            files[places.policy[scope]] = gemini_policy(packages, programs)
        if scope in places.settings:
            hooks = tuple(_hook(module, places.words) for module in modules)
            entries.append(Entries(places.settings[scope], () if places.policy else rules, hooks))
    return Wanted(tuple(File(path, stamped(path, text)) for path, text in files.items()), tuple(entries))


def _hook(module: str, words: tuple[str, ...]) -> str:
    """Return the command of a hook: it prints nothing if the launcher or its Python is gone."""
    return f"test ! -x {quote(starter.path())} || {here(module, words, quiet=True)}"


def _at_session_start(chosen: Iterable[Skill]) -> Iterator[str]:
    """Yield the modules of hooks, without those that belong to a skill which was not chosen."""
    left_out = {skill.home for skill in skills()} - {skill.home for skill in chosen}
    return (module for module in at_session_start() if module.rpartition(".")[0] not in left_out)
