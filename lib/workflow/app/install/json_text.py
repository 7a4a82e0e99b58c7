"""An editor of JSON text: it adds and removes values without changing any other byte.

Values are parsed only where necessary: numbers of any size, duplicate keys, half surrogate pairs and comments are
skipped and kept.
"""

import json
import re
from typing import Final, NoReturn

from attrs import frozen

MOST_NESTED: Final = 100
_BLANK: Final = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
_STRING: Final = re.compile(r'"(?:[^"\\\r\n]|\\.)*"')
_WORD: Final = re.compile(r"[-+.\w]+")
_CLOSING: Final = {"{": "}", "[": "]"}


class JsonTextError(ValueError):
    """Raised for text that is not JSON. The message begins with line and column."""


@frozen
class Value:
    """One value, by its position in the text, with the keys of an object and the values of an object or list."""

    start: int
    end: int
    opening: str = ""
    """`{`, `[`, or empty for a single value."""
    keys: tuple[tuple[int, str], ...] = ()
    """Position and text of each key."""
    values: tuple["Value", ...] = ()
    commas: tuple[int, ...] = ()
    """Positions of commas between values, and of a trailing one."""

    def begin(self, number: int) -> int:
        """Return the position of a value, including its key."""
        return self.keys[number][0] if self.keys else self.values[number].start


def read(text: str) -> Value:
    """Parse the one value of a text. Raises JsonTextError."""
    at = _blank(text, 1 if text.startswith("\ufeff") else 0)
    value = _value(text, at, 0)
    end = _blank(text, value.end)
    if end < len(text):
        fail(text, end, "the document ends here, but more text follows")
    return value


def string(text: str, value: Value) -> str | None:
    """Return the text of a string; None for any other value."""
    return _said(text[value.start : value.end]) if text[value.start] == '"' else None


def member(text: str, value: Value, key: str) -> Value | None:
    """Return the value under a key of an object, or None. Raises JsonTextError for a duplicate key."""
    found = [number for number, (_, name) in enumerate(value.keys) if name == key]
    if len(found) > 1:
        fail(text, value.keys[found[1]][0], f"duplicate key {key!r}")
    return value.values[found[0]] if found else None


def put(text: str, held: Value, made: object, key: str | None = None) -> str:
    """Return the text with a value added at the end of an object or list, in the file's layout."""
    end, unit, margin = "\r\n" if "\r\n" in text else "\n", _unit(text), _margin(text, held.start)
    trailing = bool(held.values) and len(held.commas) == len(held.values)
    begin = held.commas[-1] + 1 if trailing else held.values[-1].end if held.values else held.start + 1
    rest = text[begin : held.end - 1]
    kept = rest.rstrip()
    in_lines = ("\n" in text and (not held.values or "\n" in text[held.start : held.end])) or "//" in kept
    inner = _margin(text, held.begin(-1)) if held.values and _begins_line(text, held.begin(-1)) else margin + unit
    shown = json.dumps(made, ensure_ascii=False, indent=unit if in_lines else None)
    if key is not None:
        shown = f"{json.dumps(key)}: {shown}"
    shown = shown.replace("\n", f"{end}{inner}")
    before = f"{end}{inner}" if in_lines else " " if held.values else ""
    after = rest[len(kept) :] if held.values else f"{end}{margin}" if in_lines else ""
    comma = "," if held.values and not trailing else ""
    return f"{text[:begin]}{comma}{kept}{before}{shown}{',' if trailing else ''}{after}{text[held.end - 1 :]}"


def take(text: str, held: Value, number: int) -> str:
    """Return the text without one value of an object or list, its key and its comma. Comments stay."""
    begin, end = held.begin(number), held.values[number].end
    begin -= len(text[:begin]) - len(text[:begin].rstrip(" \t\r\n"))
    if number < len(held.commas):
        comma = held.commas[number]
        return text[:begin] + text[end:comma] + text[comma + 1 :]
    if number == 0:
        return text[:begin] + text[end:]
    comma = held.commas[number - 1]
    return text[:comma] + text[comma + 1 : begin] + text[end:]


def is_bare(text: str, held: Value) -> bool:
    """Return True if an object or list is empty, without comments."""
    return not text[held.start + 1 : held.end - 1].strip()


def fail(text: str, at: int, what: str) -> NoReturn:
    """Raise JsonTextError with the line and column of a position."""
    line = text.count("\n", 0, at) + 1
    raise JsonTextError(f"line {line}, column {at - text.rfind(chr(10), 0, at)}: {what}")


def _value(text: str, at: int, depth: int) -> Value:
    first = text[at : at + 1]
    if first in _CLOSING:
        if depth == MOST_NESTED:
            fail(text, at, f"nested more than {MOST_NESTED} levels deep")
        return _held(text, at, depth)
    found = (_STRING if first == '"' else _WORD).match(text, at)
    if found is None:
        fail(text, at, "unterminated string" if first == '"' else "expected a value")
    return Value(at, found.end())


def _held(text: str, start: int, depth: int) -> Value:
    closing = _CLOSING[text[start]]
    keys, values, commas = list[tuple[int, str]](), list[Value](), list[int]()
    at = _blank(text, start + 1)
    while text[at : at + 1] != closing:
        if len(commas) < len(values):
            fail(text, at, f"expected a comma or {closing}")
        if closing == "}":
            name = _STRING.match(text, at)
            if name is None:
                fail(text, at, "expected a key in double quotes")
            keys.append((at, _said(name[0])))
            at = _blank(text, name.end())
            if text[at : at + 1] != ":":
                fail(text, at, "expected a colon")
            at = _blank(text, at + 1)
        values.append(_value(text, at, depth + 1))
        at = _blank(text, values[-1].end)
        if text[at : at + 1] == ",":
            commas.append(at)
            at = _blank(text, at + 1)
    return Value(start, at + 1, text[start], tuple(keys), tuple(values), tuple(commas))


def _blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _said(token: str) -> str:
    try:
        return str(json.loads(token, strict=False))
    except ValueError:  # an invalid escape: neither a key nor a rule of ours
        return token


def _unit(text: str) -> str:
    """Return the file's indentation per level: that of its first indented line."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return found[1] if found else "  "


def _margin(text: str, at: int) -> str:
    """Return the indentation of the line at a position."""
    line = text[text.rfind("\n", 0, at) + 1 :]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _begins_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip(" \t")
