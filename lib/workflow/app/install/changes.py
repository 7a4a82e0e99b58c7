"""The changes of an installation, computed from wanted, recorded and current files."""

import difflib
from collections.abc import Iterator
from enum import StrEnum

from attrs import field, frozen

from .manifest import Joined, Manifest
from .settings import SettingsError, with_entries, without_entries
from .tree import Tree, digest
from .wanted import Entries, Wanted


class ChangeKind(StrEnum):
    """The action for a file."""

    SAME = "same"
    """Nothing: it is up to date."""
    NEW = "new"
    UPDATED = "updated"
    REMOVED = "removed"
    """It was installed, and nothing needs it any more."""
    KEPT = "kept"
    """Nothing, because it was changed, or existed before."""


@frozen
class Change:
    """One file with its new content; None removes it."""

    path: str
    kind: ChangeKind
    data: bytes | None = field(default=None, repr=False)
    why: str = ""
    """For a kept file: the reason and the differing lines."""
    joined: Joined | None = None
    """For a settings file: its entries that are ours, after the change."""


def changes(wanted: Wanted, manifest: Manifest, tree: Tree) -> tuple[Change, ...]:
    """Return the changes of every wanted or recorded file. Raises RefusedError for a path that leads elsewhere."""
    return tuple(_changes(wanted, manifest, tree))


def _changes(wanted: Wanted, manifest: Manifest, tree: Tree) -> Iterator[Change]:
    for file in wanted.files:
        yield _file(file.path, file.text.encode(), manifest, tree)
    needed = {file.path for file in wanted.files}
    for written in manifest.files:
        if written.path not in needed:
            yield _file(written.path, None, manifest, tree)
    for entries in wanted.entries:
        yield _settings(entries, manifest.joined(entries.path), tree)
    joined = {entries.path for entries in wanted.entries}
    for old in manifest.entries:
        if old.path not in joined:
            yield _settings(Entries(old.path, (), ()), old, tree)


def _file(path: str, data: bytes | None, manifest: Manifest, tree: Tree) -> Change:
    found = tree.read(path)
    if found == data:
        return Change(path, ChangeKind.SAME, data)
    if found is None:
        return Change(path, ChangeKind.NEW, data)
    if digest(found) in manifest.hashes(path):
        return Change(path, ChangeKind.REMOVED if data is None else ChangeKind.UPDATED, data)
    why = "was changed since it was installed" if manifest.hashes(path) else "existed before"
    return Change(path, ChangeKind.KEPT, data, f"{why}\n{_difference(found, data)}".strip())


def _settings(entries: Entries, old: Joined, tree: Tree) -> Change:
    found = tree.read(entries.path)
    try:
        text = None if found is None else found.decode(errors="surrogateescape")
        stale_rules = tuple(rule for rule in old.rules if rule not in entries.rules)
        stale_hooks = tuple(hook for hook in old.hooks if hook not in entries.hooks)
        rest = None if text is None else without_entries(text, stale_rules, stale_hooks)
        after, rules, hooks = with_entries(rest, entries.rules, entries.hooks)
    except SettingsError as error:
        add = "".join(f"\nto permissions.allow: {rule}" for rule in entries.rules)
        add += "".join(f"\nto hooks.SessionStart: {hook}" for hook in entries.hooks)
        return Change(entries.path, ChangeKind.KEPT, why=f"{error}{add and '; add by hand'}{add}", joined=old)
    joined = Joined(
        entries.path,
        tuple(rule for rule in entries.rules if rule in (*old.rules, *rules)),
        tuple(hook for hook in entries.hooks if hook in (*old.hooks, *hooks)),
        old.made or found is None,
    )
    data = after.encode(errors="surrogateescape")
    if text is None:
        return Change(entries.path, ChangeKind.NEW if after else ChangeKind.SAME, data or None, joined=joined)
    if old.made and "".join(after.split()) == "{}":
        return Change(entries.path, ChangeKind.REMOVED, joined=joined)
    return Change(entries.path, ChangeKind.SAME if after == text else ChangeKind.UPDATED, data, joined=joined)


def _difference(found: bytes, data: bytes | None) -> str:
    """Return the difference between the current and the new content."""
    if data is None:
        return ""
    yours, ours = (part.decode("utf-8", "replace").splitlines() for part in (found, data))
    return "\n".join(difflib.unified_diff(yours, ours, "yours", "ours", lineterm="", n=1))
