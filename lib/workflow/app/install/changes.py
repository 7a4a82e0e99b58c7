"""The changes of an installation, computed from wanted, recorded and current files."""

import difflib
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from typing import Final

from attrs import field, frozen

from .manifest import Joined, Manifest
from .settings import SettingsError, entries_in, with_entries, without_entries
from .tree import OddFileRefusedError, Tree, digest
from .upgrade.merge import merged
from .upgrade.stamp import has_stamp, is_unchanged, like, plain, unstamped
from .wanted import Entries, Wanted


class ChangeKind(StrEnum):
    """The action for a file."""

    SAME = "same"
    """Nothing: it is up to date."""
    NEW = "new"
    UPDATED = "updated"
    MERGED = "merged"
    """The user's changes and ours are joined."""
    REMOVED = "removed"
    """It was installed, and nothing needs it any more."""
    EDITED = "edited"
    """Nothing: the user changed it, and we have nothing newer."""
    KEPT = "kept"
    """Nothing, until the user decides between their content and ours."""


BY_HAND: Final = "; add by hand"
"""Start of what the user has to add to a settings file."""
SETTLED: Final = (ChangeKind.SAME, ChangeKind.EDITED)
"""Kinds of files with which nothing is to be done."""


class Resolution(StrEnum):
    """The user's decision on files that they changed, in the words of git: ours is what is there, theirs comes in."""

    OURS = "ours"
    THEIRS = "theirs"
    MERGE = "merge"


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
    base: str = field(default="", repr=False)
    """Our content, if the file is up to date with it after the change."""


def changes(wanted: Wanted, manifest: Manifest, tree: Tree, resolution: Resolution | None = None) -> tuple[Change, ...]:
    """Return the changes of every wanted or recorded file. Raises RefusedError for a path that leads elsewhere."""
    return tuple(_changes(wanted, manifest, tree, resolution))


def _changes(wanted: Wanted, manifest: Manifest, tree: Tree, resolution: Resolution | None) -> Iterator[Change]:
    for file in wanted.files:
        yield _file(file.path, file.text, manifest, tree, resolution)
    needed = {file.path for file in wanted.files}
    for written in manifest.files:
        if written.path not in needed:
            yield _file(written.path, "", manifest, tree, resolution)
    for entries in wanted.entries:
        yield _settings(entries, manifest.joined(entries.path), tree)
    joined = {entries.path for entries in wanted.entries}
    for old in manifest.entries:
        if old.path not in joined:
            yield _settings(Entries(old.path, (), ()), old, tree)


def _file(path: str, text: str, manifest: Manifest, tree: Tree, resolution: Resolution | None) -> Change:
    """Return the change of a file of ours; an empty text removes it."""
    try:
        found = tree.read(path)
    except OddFileRefusedError as error:
        return Change(path, ChangeKind.KEPT, why=str(error))
    data = text.encode() or None
    if found is None:
        return Change(path, ChangeKind.NEW, data, base=text) if data else Change(path, ChangeKind.SAME)
    if data and plain(found) == data:
        return Change(path, ChangeKind.SAME, data, base=text)
    kind = ChangeKind.UPDATED if data else ChangeKind.REMOVED
    theirs = Change(path, kind, data and like(data, found), base=text)
    if is_unchanged(found) or digest(plain(found)) in manifest.hashes(path):
        return theirs
    if text and manifest.base(path) == text and resolution is not Resolution.THEIRS:
        return Change(path, ChangeKind.EDITED, why="changed by you, up to date with ours", base=text)
    match resolution:
        case Resolution.THEIRS:
            return theirs
        case Resolution.OURS:
            return Change(path, ChangeKind.EDITED, why="yours stays", base=text)
        case Resolution.MERGE if data:
            return _merge(path, found, text, manifest.base(path))
    why = "was changed since it was installed" if manifest.hashes(path) or has_stamp(found) else "existed before"
    return Change(path, ChangeKind.KEPT, why=f"{why}\n{_difference(found, data)}".strip())


def _merge(path: str, found: bytes, text: str, base: str) -> Change:
    if not base:
        why = "cannot be merged: the content that was installed is not known; choose --ours or --theirs"
        return Change(path, ChangeKind.KEPT, why=why)
    result = merged(found, base.encode(), text.encode())
    if result.conflicts == 0:
        return Change(path, ChangeKind.MERGED, result.data, base=text)
    if result.conflicts < 0:
        return Change(path, ChangeKind.KEPT, why=f"cannot be merged: {result.why}")
    marked = result.data.decode("utf-8", "replace")
    why = "has conflicts; change the file as you want it, then install with --ours"
    return Change(path, ChangeKind.KEPT, why=f"{why}\n{marked}")


def _settings(entries: Entries, old: Joined, tree: Tree) -> Change:
    try:
        found = tree.read(entries.path)
    except OddFileRefusedError as error:
        return _odd_settings(entries, old, tree, str(error))
    try:
        text = None if found is None else found.decode(errors="surrogateescape")
        stale_rules = tuple(rule for rule in old.rules if rule not in entries.rules)
        stale_hooks = tuple(hook for hook in old.hooks if hook not in entries.hooks)
        rest = None if text is None else without_entries(text, stale_rules, stale_hooks)
        after, rules, hooks = with_entries(rest, entries.rules, entries.hooks)
    except SettingsError as error:
        return Change(entries.path, ChangeKind.KEPT, why=f"{error}{_by_hand(entries)}", joined=old)
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


def _odd_settings(entries: Entries, old: Joined, tree: Tree, why: str) -> Change:
    """Return the change of a settings file that is a link or a device: none; it may hold the entries already."""
    there = (tree.read_linked(entries.path) or b"").decode(errors="surrogateescape")
    with suppress(SettingsError):
        rules, hooks = entries_in(there)
        if {*entries.rules} <= {*rules} and {*entries.hooks} <= {*hooks}:
            return Change(entries.path, ChangeKind.SAME, joined=old)
    return Change(entries.path, ChangeKind.KEPT, why=f"{why}{_by_hand(entries)}", joined=old)


def _by_hand(entries: Entries) -> str:
    """Return what the user has to add to a settings file."""
    add = [f"\nto permissions.allow: {rule}" for rule in entries.rules]
    add += [f"\nto hooks.SessionStart: {hook}" for hook in entries.hooks]
    return f"{BY_HAND}{''.join(add)}" if add else ""


def _difference(found: bytes, data: bytes | None) -> str:
    """Return the difference between the current and the new content."""
    if data is None:
        return ""
    yours, new = (unstamped(part).decode("utf-8", "replace").splitlines() for part in (found, data))
    return "\n".join(difflib.unified_diff(yours, new, "yours", "stepscript", lineterm="", n=1))
