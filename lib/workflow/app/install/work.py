"""Installation and uninstallation; only this module writes."""

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from attrs import evolve, frozen

from ...state.locks import LockError, locked
from ...state.run_dirs import HOME, IGNORE, IGNORED
from ...state.run_folder import make_home
from .changes import Change, ChangeKind, Resolution, changes
from .clients import Agent, Scope
from .distribution import sources
from .host import starter
from .host.exclusion import exclude
from .launcher import launcher
from .manifest import Manifest, Written, save
from .tree import Tree, digest, parents
from .upgrade.recovery import known
from .wanted import IGNORE_FILE, MANIFEST, Selection, Wanted, wanted

LOCK: Final = f"{HOME}/install.lock"
WAIT: Final = 20.0
"""Seconds that another installation may take."""
TRIES: Final = 50
NOTHING: Final = Wanted((), ())
WRITES: Final = (ChangeKind.NEW, ChangeKind.UPDATED, ChangeKind.MERGED)


@frozen
class Asked:
    """The choice of one call; it adds to the recorded one."""

    agents: tuple[Agent, ...] = ()
    skills: tuple[str, ...] = ()
    prefix: str | None = None
    """None keeps the recorded prefix."""
    resolution: Resolution | None = None
    """The decision on files that the user changed; None keeps them."""


def selection(manifest: Manifest | None, asked: Asked) -> Selection:
    """Return the clients and skills of an installation: recorded and requested ones; all, if there are none."""
    before = manifest or Manifest()
    agents = {*before.agents, *asked.agents}
    every = before.agents and not before.skills
    skills = () if every else tuple(dict.fromkeys((*before.skills, *asked.skills)))
    prefix = before.prefix if asked.prefix is None else asked.prefix
    return Selection(tuple(agent for agent in Agent if agent in agents or not agents), skills, prefix)


def planned(tree: Tree, asked: Asked, scope: Scope) -> tuple[Change, ...]:
    """Return the changes of an installation without writing."""
    manifest = known(tree)
    return changes(wanted(selection(manifest, asked), scope), manifest or Manifest(), tree, asked.resolution)


def install(tree: Tree, asked: Asked, scope: Scope) -> tuple[Change, ...]:
    """Update a tree, except files that were changed later. Returns the changes."""
    planned(tree, asked, scope)  # refusals come before anything is written
    with _alone(tree):
        before = known(tree) or Manifest(folders=(HOME,) if _is_bare(tree) else ())
        chosen = selection(before, asked)
        done = changes(wanted(chosen, scope), before, tree, asked.resolution)
        starter.add(tree.root, launcher(sources()))
        if scope is Scope.PROJECT:
            exclude(tree, _excluded(done))
        _carry_out(tree, done, evolve(before, agents=chosen.agents, skills=chosen.skills, prefix=chosen.prefix))
    return done


def _excluded(done: Iterable[Change]) -> Iterator[str]:
    """Yield the files that are wholly ours, as they will be after the changes."""
    for change in done:
        ours = change.joined.made and change.data is not None if change.joined else bool(change.base)
        if ours and change.kind is not ChangeKind.REMOVED:
            yield change.path


def removals(tree: Tree) -> tuple[Change, ...]:
    """Return the changes of an uninstallation without writing."""
    return changes(NOTHING, known(tree) or Manifest(), tree)


def uninstall(tree: Tree) -> tuple[Change, ...]:
    """Remove the installed files, except those changed later. Returns the changes."""
    if known(tree) is None:
        exclude(tree, ())
        starter.drop(tree.root)
        return ()
    removals(tree)
    with _alone(tree):
        before = known(tree) or Manifest()
        done = changes(NOTHING, before, tree)
        after = _carry_out(tree, done, before)
        exclude(tree, ())
        tree.remove(MANIFEST)
        starter.drop(tree.root)
        if _is_bare(tree) and tree.read(IGNORE_FILE) == IGNORED:
            tree.remove(IGNORE_FILE)
        for folder in reversed(after.folders):
            if folder != HOME:
                tree.remove_empty(folder)
        tree.remove(LOCK)
        if HOME in after.folders:
            tree.remove_empty(HOME)
    return done


def _carry_out(tree: Tree, done: tuple[Change, ...], before: Manifest) -> Manifest:
    """Carry out the changes, and return the manifest.

    The manifest is written twice, first with old and new content: after an interruption, the next call goes on.
    """
    decided = {change.path: change for change in done if change.kind is not ChangeKind.KEPT and change.joined is None}
    others = tuple(item for item in before.files if item.path not in decided)
    bases = {path: change.base for path, change in decided.items() if change.base}
    after = tuple(Written(path, (digest(base.encode()),), base) for path, base in bases.items())
    new = {item.path: item.hashes for item in after}
    both = tuple(Written(path, (*before.hashes(path), *new.get(path, ())), before.base(path)) for path in decided)
    joined = tuple(change.joined for change in done if change.joined)
    needed = (folder for change in done if change.kind is ChangeKind.NEW for folder in tree.missing(change.path))
    folders = tuple(dict.fromkeys((*before.folders, *needed)))
    entries = tuple(item.with_old(before.joined(item.path)) for item in joined)
    save(tree, evolve(before, files=(*both, *others), entries=entries, folders=folders))
    for change in done:
        if change.kind in WRITES and change.data is not None:
            tree.write(change.path, change.data)
        elif change.kind is ChangeKind.REMOVED:
            tree.remove(change.path)
            for folder in filter(folders.__contains__, parents(change.path)):
                tree.remove_empty(folder)
    left = tuple(item for item in joined if item.rules or item.hooks)
    manifest = evolve(before, files=(*after, *others), entries=left, folders=folders)
    save(tree, manifest)
    return manifest


@contextmanager
def _alone(tree: Tree) -> Iterator[None]:
    """Exclude other installations; an uninstallation may remove our folder meanwhile."""
    with ExitStack() as stack:
        for left in reversed(range(TRIES)):
            make_home(os.path.dirname(tree.place(LOCK)))
            try:
                stack.enter_context(locked(tree.place(LOCK), WAIT))
                make_home(os.path.dirname(tree.place(LOCK)))
                break
            except LockError as error:
                if error.errno != errno.ENOENT or not left:
                    raise
        yield


def _is_bare(tree: Tree) -> bool:
    """Return True if our folder only holds the files that an installation writes first."""
    return {*tree.names(HOME)} <= {os.path.basename(LOCK), IGNORE}
