"""POSIX quoting, both ways (`shlex` would accept and keep what we must refuse: variables, pipes, comments)."""

from collections.abc import Iterable
from typing import Final

_SAFE: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-")
_ESCAPED_IN_DOUBLE_QUOTES: Final = '"\\$`'


class ShellError(ValueError):
    """Text that is not a plain list of words."""


def quote(word: str) -> str:
    """The word as a POSIX shell reads it back, quoted only where it must be."""
    if word and _SAFE.issuperset(word):
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"


def join(words: Iterable[str]) -> str:
    """The words as one line."""
    return " ".join(map(quote, words))


def split(text: str) -> tuple[str, ...]:
    """The words of a line. Raises ShellError for an open quote and for whatever a shell would act on.

    A backslash keeps the next character, and within double quotes only `"`, `\\`, `$` and `` ` ``.
    """
    words: list[str] = []
    word: str | None = None  # None between words: '' is a word
    rest = iter(text)
    for char in rest:
        if char in " \t\n":
            if word is not None:
                words.append(word)
            word = None
        elif char == "'":
            word = (word or "") + _quoted(rest, "'")
        elif char == '"':
            word = (word or "") + _quoted(rest, '"')
        elif char == "\\":
            word = (word or "") + _next(rest, "a backslash")
        elif char in _SAFE or char > "\x7f":
            word = (word or "") + char
        else:
            raise ShellError(f"{char!r} would be acted on by a shell; quote it: {text!r:.200}")
    if word is not None:
        words.append(word)
    return tuple(words)


def _quoted(rest: Iterable[str], end: str) -> str:
    held = ""
    rest = iter(rest)
    for char in rest:
        if char == end:
            return held
        if end == '"' and char == "\\":
            char = _next(rest, "a backslash")
            if char not in _ESCAPED_IN_DOUBLE_QUOTES:
                char = "\\" + char
        elif end == '"' and char in "$`":
            raise ShellError(f"{char!r} within double quotes would be acted on by a shell; use single quotes")
        held += char
    raise ShellError(f"the quote {end} is not closed")


def _next(rest: Iterable[str], after: str) -> str:
    for char in rest:
        return char
    raise ShellError(f"nothing follows {after}")
