"""An editor of a client's settings file: it adds and removes our entries beside others'. Pure functions of texts.

The format is Claude Code's ("Settings", "Hooks"): `permissions.allow` is a list of rules, `hooks.SessionStart` a list
of groups, each with a list of commands. Every other byte of the file stays unchanged.
"""

from typing import Final, NamedTuple

from .json_text import JsonTextError, Value, fail, is_bare, member, put, read, string, take

EVENT: Final = "SessionStart"
EMPTY: Final = "{\n}\n"
_RULES: Final = ("permissions", "allow")
_GROUPS: Final = ("hooks", EVENT)


class Settled(NamedTuple):
    """A settings text after a change, and the entries that are new."""

    text: str
    rules: tuple[str, ...]
    hooks: tuple[str, ...]


class SettingsError(ValueError):
    """Raised for a settings file of an unknown format; it is left alone. The message gives line and column."""


def entries_in(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return all rules, and all commands of hooks that are the only one of their group. Raises SettingsError."""
    if not text.strip("\ufeff \t\r\n"):
        return (), ()
    try:
        rules = filter(None, _strings(text, _list(text, _RULES)))
        groups = (_commands(text, group) for group in _groups(text))
        return tuple(rules), tuple(group[0] for group in groups if len(group) == 1 and group[0])
    except JsonTextError as error:
        raise SettingsError(str(error)) from None


def with_entries(text: str | None, rules: tuple[str, ...], hooks: tuple[str, ...]) -> Settled:
    """Return the file with the entries, each once. Raises SettingsError."""
    try:
        before = text if text and text.strip("\ufeff \t\r\n") else f"{text or ''}{EMPTY}"
        new_rules = tuple(rule for rule in rules if rule not in _strings(before, _list(before, _RULES)))
        held = [command for group in _groups(before) for command in _commands(before, group)]
        new_hooks = tuple(hook for hook in hooks if hook not in held)
        after = before
        for rule in new_rules:
            after = _with(after, _RULES, rule)
        for hook in new_hooks:
            after = _with(after, _GROUPS, {"hooks": [{"type": "command", "command": hook}]})
    except JsonTextError as error:
        raise SettingsError(str(error)) from None
    return Settled(after if new_rules or new_hooks else text or "", new_rules, new_hooks)


def without_entries(text: str, rules: tuple[str, ...], hooks: tuple[str, ...]) -> str:
    """Return the file without the entries, and without lists and objects that become empty. Raises SettingsError."""
    try:
        if not text.strip("\ufeff \t\r\n"):
            return text
        for rule in rules:
            while rule in (found := _strings(text, _list(text, _RULES))):
                text = _without(text, _RULES, found.index(rule))
        for hook in hooks:
            while [hook] in (each := [_commands(text, group) for group in _groups(text)]):
                text = _without(text, _GROUPS, each.index([hook]))
    except JsonTextError as error:
        raise SettingsError(str(error)) from None
    return text


def _with(text: str, path: tuple[str, str], made: object) -> str:
    """Return the text with one more item in the list, which is created if necessary."""
    root, (part, key) = _root(text), path
    outer = member(text, root, part)
    if outer is None:
        return put(text, root, {key: [made]}, part)
    found = _list(text, path)
    return put(text, outer, [made], key) if found is None else put(text, found, made)


def _without(text: str, path: tuple[str, str], number: int) -> str:
    """Return the text without an item of the list, and without containers that become empty."""
    found = _list(text, path)
    assert found is not None
    text = take(text, found, number)
    for depth in (2, 1):
        held = _root(text) if depth == 1 else member(text, _root(text), path[0])
        inner = member(text, held, path[depth - 1]) if held else None
        if not (held and inner and is_bare(text, inner)):
            break
        text = take(text, held, [name for _, name in held.keys].index(path[depth - 1]))
    return text


def _root(text: str) -> Value:
    return _of_kind(text, read(text), "{", "the file")


def _list(text: str, path: tuple[str, str]) -> Value | None:
    """Return the list at a path, or None. Raises JsonTextError if the value is not a list."""
    part, key = path
    outer = member(text, _root(text), part)
    if outer is None:
        return None
    found = member(text, _of_kind(text, outer, "{", part), key)
    return None if found is None else _of_kind(text, found, "[", f"{part}.{key}")


def _of_kind(text: str, value: Value, opening: str, where: str) -> Value:
    if value.opening != opening:
        fail(text, value.start, f"{where} is not {'an object' if opening == '{' else 'a list'}")
    return value


def _strings(text: str, held: Value | None) -> list[str | None]:
    return [string(text, each) for each in held.values] if held else []


def _groups(text: str) -> tuple[Value, ...]:
    found = _list(text, _GROUPS)
    return found.values if found else ()


def _commands(text: str, group: Value) -> list[str | None]:
    """Return the commands of a group; empty if it has another format."""
    hooks = member(text, group, "hooks") if group.opening == "{" else None
    if hooks is None or hooks.opening != "[":
        return []
    held = (member(text, hook, "command") for hook in hooks.values if hook.opening == "{")
    return [string(text, command) if command else None for command in held]
