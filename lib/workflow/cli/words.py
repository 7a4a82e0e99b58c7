"""A reader of usual command lines: each flag in full, each value a word that does not begin with `-`."""

from collections.abc import Container, Iterable, Iterator
from typing import Final, TypeAlias

from ..arguments.parameter import Value

Line: TypeAlias = tuple[int, str, dict[str, Value]]
"""The values of a command line: step, format, and parameters by name."""
MAX_STEP_DIGITS: Final = 9


def pairs(words: Iterable[str], switches: Container[str]) -> Iterator[tuple[str, str]]:
    """Yield each flag with its value, as argparse does, without its costs.

    Args:
        words: A command line.
        switches: The flags that take no value; they are yielded with an empty one.

    Yields:
        The flag and its value; an empty flag for a word that follows none.

    Raises:
        ValueError: If it is not a usual command line, so that argparse must read it.
    """
    rest = iter(words)
    for word in rest:
        flag, given, text = word.partition("=")
        if not is_flag(word):
            flag, text = "", word
        elif flag in switches:
            if given:
                raise ValueError(f"the switch {flag:.60} has a value")
        elif not given:
            text = next(rest, "--")
            if is_flag(text):
                raise ValueError(f"the value of {flag:.60} is missing, or begins with '-'")
        yield flag, text


def is_flag(word: str) -> bool:
    """Return True for a word that begins with `-`; `-` alone is a value, standard input."""
    return word.startswith("-") and word != "-"


def step_number(text: str) -> int:
    """Read the number of a step. Raises ValueError, with the legal values."""
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_STEP_DIGITS):
        raise ValueError(f"{text!r:.60} is not a step number; write it in digits")
    return int(text)
