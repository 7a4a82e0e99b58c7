"""POSIX quoting, both ways (`shlex` would accept and keep variables, pipes and comments, which we must refuse)."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

_SAFE: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-")
_PLAIN: Final = "".join(sorted(_SAFE)).encode() + b" "
_ESCAPED_IN_DOUBLE_QUOTES: Final = '"\\$`'


class ShellError(ValueError):
    """Raised for text that is not a plain list of words."""


def quote(word: str) -> str:
    """Quote the word for a POSIX shell, only if necessary.

    The quotes are closed and opened again inside `]]>`, so a CDATA section can hold the command unchanged.
    """
    if word and _SAFE.issuperset(word):
        return word
    return "'" + word.replace("'", "'\"'\"'").replace("]]>", "]]''>") + "'"


def is_plain(line: str) -> bool:
    """Return True if all characters are blanks or need no quotes."""
    return not line.encode(errors="replace").translate(None, _PLAIN)


def plain(words: Sequence[str]) -> str:
    """Join words that need no quotes; an empty string for others, and for values that are not words."""
    try:
        line = " ".join(words)
    except TypeError:
        return ""
    return line if line.count(" ") == len(words) - 1 and "" not in words and is_plain(line) else ""


def join(words: Sequence[str]) -> str:
    """Join the words into one line."""
    return plain(words) or " ".join(map(quote, words))


class Slot(NamedTuple):
    """A word to fill in: an unquoted `$NAME`."""

    name: str


def is_slot(name: str) -> bool:
    """Return True if the name can be that of a slot."""
    return name.isascii() and name.isidentifier()


def split(text: str) -> tuple[str, ...]:
    r"""Split a line into words. Raises ShellError for an open quote, and for characters that a shell would act on.

    A backslash keeps the next character, and within double quotes only `"`, `\`, `$` and `` ` ``.
    """
    if is_plain(text):
        return tuple(text.split())
    return tuple(word for word in _words(text, slots=False) if isinstance(word, str))


def split_template(text: str) -> tuple[str | Slot, ...]:
    """Split a line in which an unquoted word `$NAME` is a slot. Raises ShellError as `split` does."""
    return tuple(_words(text, slots=True))


def _words(text: str, slots: bool) -> Iterator[str | Slot]:
    word: list[str] | None = None  # None between words: '' is a word
    rest = iter(text.strip("\n"))
    for char in rest:
        if char in " \t":
            if word is not None:
                yield "".join(word)
            word = None
        elif slots and char == "$" and word is None:
            yield _slot(rest, text)
        else:
            word = word or []
            if char in "'\"":
                word.append(_quoted(rest, char))
            elif char == "\\":
                word.append(_next(rest, "a backslash"))
            elif char in _SAFE or char > "\x7f":
                word.append(char)
            else:
                raise ShellError(f"a shell would interpret {char!r}; quote it: {text!r:.200}")
    if word is not None:
        yield "".join(word)


def _slot(rest: Iterator[str], text: str) -> Slot:
    name = "".join(takewhile(lambda char: char not in " \t", rest))
    if not is_slot(name):
        raise ShellError(
            f"'${name:.60}' is not a slot; write a slot as a separate word, such as $GROUP_ITEMS: {text!r:.200}"
        )
    return Slot(name)


def _quoted(rest: Iterator[str], end: str) -> str:
    held: list[str] = []
    for char in rest:
        if char == end:
            return "".join(held)
        if end == '"' and char == "\\":
            char = _next(rest, "a backslash")
            if char not in _ESCAPED_IN_DOUBLE_QUOTES:
                char = "\\" + char
        elif end == '"' and char in "$`":
            raise ShellError(f"a shell would interpret {char!r} within double quotes; use single quotes")
        held.append(char)
    raise ShellError(f"the quote {end} is not closed")


def _next(rest: Iterator[str], after: str) -> str:
    for char in rest:
        return char
    raise ShellError(f"nothing follows {after}")
