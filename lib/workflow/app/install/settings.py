"""Entries of a client's settings file: put in beside what others wrote, and taken out again. Pure functions of texts.

The form is Claude Code's ("Settings", "Hooks"): `permissions.allow` is a list of rules; `hooks.SessionStart` one of
groups, each with a list of commands.
"""

import json
import re
from typing import Final, NamedTuple, TypeAlias

Json: TypeAlias = dict[str, object]
EVENT: Final = "SessionStart"


class Settled(NamedTuple):
    """The text of a settings file after a change, and what of the change was not there before."""

    text: str
    rules: tuple[str, ...]
    hooks: tuple[str, ...]


class SettingsError(ValueError):
    """A settings file that has another form than we know; it is left alone."""


def with_entries(text: str | None, rules: tuple[str, ...], hooks: tuple[str, ...]) -> Settled:
    """The file with the entries, each once. Raises SettingsError."""
    document = _read(text)
    allow, groups = _lists(document)
    new_rules = tuple(rule for rule in rules if rule not in allow)
    held = [command for group in groups for command in _commands(group)]
    new_hooks = tuple(hook for hook in hooks if hook not in held)
    if not new_rules and not new_hooks:
        return Settled(text or "", (), ())
    if new_rules:
        _part(document, "permissions")["allow"] = [*allow, *new_rules]
    if new_hooks:
        made = [{"hooks": [{"type": "command", "command": hook}]} for hook in new_hooks]
        _part(document, "hooks")[EVENT] = [*groups, *made]
    return Settled(_written(document, text), new_rules, new_hooks)


def without_entries(text: str, rules: tuple[str, ...], hooks: tuple[str, ...]) -> str:
    """The file without the entries, and without what holds nothing for the lack of them. Raises SettingsError."""
    document = _read(text)
    allow, groups = _lists(document)
    _put(document, "permissions", "allow", [rule for rule in allow if rule not in rules], allow)
    _put(document, "hooks", EVENT, [group for group in groups if _commands(group) not in [[h] for h in hooks]], groups)
    return text if document == _read(text) else _written(document, text)


def _put(document: Json, part: str, key: str, values: list[object], before: list[object]) -> None:
    if values == before:
        return
    held = _part(document, part)
    held[key] = values
    if not values:
        del held[key]
    if not held:
        del document[part]


def _read(text: str | None) -> Json:
    try:
        document = json.loads(text) if text and text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"is no JSON: {error}") from None
    return _object(document, "the file")


def _lists(document: Json) -> tuple[list[object], list[object]]:
    """The rules and the groups that the file has; nothing is added to it."""
    allow = _object(document.get("permissions", {}), "permissions").get("allow", [])
    groups = _object(document.get("hooks", {}), "hooks").get(EVENT, [])
    return _list(allow, "permissions.allow"), _list(groups, f"hooks.{EVENT}")


def _part(document: Json, key: str) -> Json:
    return _object(document.setdefault(key, {}), key)


def _object(value: object, where: str) -> Json:
    if isinstance(value, dict):
        return value
    raise SettingsError(f"{where} is no object")


def _list(value: object, where: str) -> list[object]:
    if isinstance(value, list):
        return value
    raise SettingsError(f"{where} is no list")


def _commands(group: object) -> list[object]:
    """The commands of a group; none where it has another form."""
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return [hook.get("command") for hook in hooks if isinstance(hook, dict)] if isinstance(hooks, list) else []


def _written(document: Json, before: str | None) -> str:
    """As JSON, indented as the file was."""
    found = re.search(r"^([ \t]+)\S", before or "", re.MULTILINE)
    return json.dumps(document, ensure_ascii=False, indent=found[1] if found else 2) + "\n"
