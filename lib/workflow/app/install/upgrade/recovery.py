"""The manifest of an installation that has lost it, rebuilt from the installed files and the clients' settings."""

from collections.abc import Iterator
from contextlib import suppress

from ....errors import RefusedError
from ....state.run_dirs import HOME
from ..clients import PLACES, Agent, Scope
from ..manifest import Joined, Manifest, Written, load
from ..settings import SettingsError, entries_in, with_entries
from ..sources import at_session_start, skills
from ..tree import Tree, digest, parents
from .stamp import has_stamp, is_unchanged, plain


def known(tree: Tree) -> Manifest | None:
    """Return the manifest of a tree, rebuilt if it is lost; None without an installation. Raises as `load` does."""
    return load(tree) or _rebuilt(tree)


def _rebuilt(tree: Tree) -> Manifest | None:
    stamped = {path: data for path in _paths(tree) if (data := _read(tree, path)) and has_stamp(data)}
    entries = tuple(_entries(tree))
    if not (stamped or entries):
        return None
    files = tuple(Written(path, (digest(plain(data)),)) for path, data in stamped.items() if is_unchanged(data))
    places = {*stamped, *(item.path for item in entries)}
    folders = dict.fromkeys(folder for path in sorted(places) for folder in reversed(parents(path)))
    chosen, prefix = _chosen(places)
    return Manifest(tuple(_agents(places)), files, entries, (HOME, *folders), chosen, prefix)


def _paths(tree: Tree) -> Iterator[str]:
    """Yield the files in the folders that an installation writes to."""
    for folder in {places.skills for places in PLACES.values()}:
        for skill in _names(tree, folder):
            yield from (f"{folder}/{skill}/{name}" for name in _names(tree, f"{folder}/{skill}"))
    for pattern in {pattern for places in PLACES.values() for pattern in places.roles.values()}:
        folder, _, ending = pattern.partition("/{}")
        yield from (f"{folder}/{name}" for name in _names(tree, folder) if name.endswith(ending))
    yield from {path for places in PLACES.values() for path in places.policy.values()}


def _names(tree: Tree, folder: str) -> tuple[str, ...]:
    with suppress(RefusedError, OSError):
        return tree.names(folder)
    return ()


def _read(tree: Tree, path: str) -> bytes | None:
    with suppress(RefusedError, OSError):
        return tree.read(path)
    return None


def _entries(tree: Tree) -> Iterator[Joined]:
    """Yield our entries in the clients' settings files."""
    packages, modules = {skill.package for skill in skills()}, at_session_start()
    for path in dict.fromkeys(path for places in PLACES.values() for path in places.settings.values()):
        data = _read(tree, path)
        if data is None:
            continue
        with suppress(SettingsError):
            text = data.decode(errors="surrogateescape")
            rules, hooks = entries_in(text)
            found = [rule for rule in rules if any(rule.endswith(f" -m {package}.*)") for package in packages)]
            ours = [hook for hook in hooks if any(f" -m {module}" in hook for module in modules)]
            if found or ours:
                made = text == with_entries(None, tuple(found), tuple(ours)).text
                yield Joined(path, tuple(found), tuple(ours), made)


def _agents(paths: set[str]) -> Iterator[Agent]:
    """Yield the clients with a role, settings or a policy among the files; without any, those that read its skills."""
    by_own = [agent for agent in Agent if any(_is_of(agent, path) for path in paths)]
    folders = {places.skills for places in PLACES.values() if any(path.startswith(places.skills) for path in paths)}
    covered = {PLACES[agent].skills for agent in by_own}
    yield from (agent for agent in Agent if agent in by_own or PLACES[agent].skills in folders - covered)


def _is_of(agent: Agent, path: str) -> bool:
    places = PLACES[agent]
    roles = (places.roles[scope].partition("{}") for scope in Scope)
    named = {*places.settings.values(), *places.policy.values()}
    return path in named or any(path.startswith(begin) and path.endswith(end) for begin, _, end in roles)


def _chosen(paths: set[str]) -> tuple[tuple[str, ...], str]:
    """Return the chosen skills, empty for all, and the prefix of their names."""
    every = {skill.name for skill in skills()}
    roots = tuple(f"{places.skills}/" for places in PLACES.values())
    found = {path.split("/")[-2] for path in paths if path.startswith(roots)}
    prefixes = {name[: -len(own)] for name in found for own in every if name.endswith(own)}
    for prefix in sorted(prefixes, key=len):
        named = {name.removeprefix(prefix) for name in found if name.startswith(prefix)}
        if named <= every and len(named) == len(found):
            return (() if named == every else tuple(sorted(named))), prefix
    return (), ""
