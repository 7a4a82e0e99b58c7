"""Rules for strings in the tree and its commands: canonical newlines, and only characters that XML 1.0 can carry."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from attrs import Attribute

ILLEGAL: Final = r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Characters that XML 1.0 section 2.2 excludes (CR aside, which becomes LF): most controls, surrogates,
U+FFFE, U+FFFF.
"""
BREAKING: Final = r"[^\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Characters that a line cannot hold: line ends of any program, and other controls."""
LINE_ENDS: Final = "\x85\u2028\u2029"
"""Characters other than the newline that XML can carry and some readers take for a line end."""
MAX_NAME: Final = 200
MAX_DIGITS: Final = 18
MAX_NUMBER: Final = 10**MAX_DIGITS
"""Number from which on a number is too large for a field or a flag."""
_LAYOUT: Final = dict.fromkeys(map(ord, "\t\n\r"))
JOINERS: Final = "\u200c\u200d"
"""Invisible characters that are part of the spelling of words and emoji."""
NAME: Final = r"[A-Za-z_][-.0-9A-Za-z_]*"
"""Tags and attribute names: the ASCII part of XML names, without the colon of namespaces."""


def canonical(value: str, where: str) -> str:
    """Convert CR and CR LF to LF. Raises ValueError, with the place, for a character that XML cannot carry."""
    if value.isprintable() or value.replace("\n", "").isprintable():
        return value
    if "\r" in value:
        value = value.replace("\r\n", "\n").replace("\r", "\n")
    if not value.replace("\n", "").replace("\t", "").isprintable():
        _refuse(
            ILLEGAL,
            value,
            where,
            "is not allowed in XML; remove it from the text (output of tools may contain ESC)",
        )
    return value


def check_line(value: str, where: str) -> None:
    """Raise ValueError, with the place, if a string has several lines or a control character."""
    if not value.isprintable():
        _refuse(BREAKING, value, where, "is a line break or a control character; this must be one line")


def one_line(instance: object, attribute: "Attribute[Any]", value: str | None) -> None:
    """Check that a text is one line and not blank, or None (attrs validator). Other types are refused elsewhere."""
    if isinstance(value, str) and not (value.isprintable() and value.strip()):  # rarely true, often checked
        where = f"{type(instance).__name__}.{attribute.name}"
        check_line(value, where)
        if not value.strip():
            raise ValueError(f"{where}: must not be blank")


def check_name(value: str, where: str) -> str:
    """Return the value if it is a valid tag or attribute name.

    Raises ValueError if not, also for a trailing newline.
    """
    return _named(value, where) if len(value) <= MAX_NAME else _named(value[:MAX_NAME] + " ", where)


@lru_cache(256)
def _named(value: str, where: str) -> str:
    if not re.fullmatch(NAME, value):
        raise ValueError(
            f"{where}: {value!r:.60} is not a name; use letters, digits, '_', '-', '.', a letter or '_' first"
        )
    return value


def _refuse(pattern: str, value: str, where: str, why: str) -> None:
    found = re.search(pattern, value)
    if found:
        raise ValueError(f"{where}: U+{ord(found[0]):04X} at position {found.start()} {why}")


def broken(value: str) -> str:
    """Add a newline after each other character that some readers take for a line end."""
    if not value.isprintable():
        for mark in LINE_ENDS:
            value = value.replace(mark, f"{mark}\n")
    return value


def printable(value: str) -> str:
    """Escape characters that XML cannot carry, for messages that quote foreign text."""
    return re.sub(ILLEGAL, lambda match: match[0].encode("unicode_escape").decode(), value)


def storable(value: str) -> str:
    """Escape characters that a state file cannot carry; line ends stay unchanged."""
    if value.isprintable() or value.translate(_LAYOUT).isprintable():
        return value
    return "\r".join(map(printable, value.split("\r")))


def on_a_screen(value: str) -> str:
    """Return the string as one line that is safe on a terminal."""
    return visible(" ".join(value.split()))


def plain_json(text: str) -> str:
    """Escape terminal control characters in JSON text; the document stays the same."""
    if text.replace("\n", "").isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def visible(value: str) -> str:
    """Escape characters that a terminal would act on: controls, line ends, direction marks."""
    if value.isprintable():
        return value
    return "".join(char if char.isprintable() or char in JOINERS else repr(char)[1:-1] for char in value)
