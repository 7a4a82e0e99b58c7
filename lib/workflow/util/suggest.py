"""Suggestions for unknown names, and repeated names."""

from collections.abc import Iterable
from typing import Final

SIMILAR: Final = 0.7
"""Minimum of difflib's ratio, from 0 to 1, for two names that one may be a slip for the other."""


def expected(got: str, legal: Iterable[str]) -> str:
    """Return a hint for an unknown name: the nearest legal name first."""
    names = sorted(legal)
    near = nearest(got, names)
    listed = ", ".join(names) or "nothing"
    return f"did you mean {near!r}? Legal here: {listed}" if near else f"legal here: {listed}"


def repeated(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that a list holds more than once, in order."""
    seen: dict[str, bool] = {}
    for name in names:
        seen[name] = name in seen
    return tuple(name for name, again in seen.items() if again)


def nearest(got: str, names: Iterable[str]) -> str | None:
    """Return the most similar name, ignoring case; None if none is similar."""
    import difflib  # rarely needed: a step need not pay for it

    folded = {str(name).casefold(): str(name) for name in names}  # str() of an enum member differs from its repr
    bare = {name.lstrip("-"): name for name in folded}  # dashes alone make no flags similar
    near = difflib.get_close_matches(got[:60].casefold().lstrip("-"), bare, 1, SIMILAR)
    return folded[bare[near[0]]] if near else None


def instead(name: str, names: Iterable[str]) -> str:
    """Return a suggestion: the nearest name, or all names."""
    known = sorted(names)
    near = nearest(name, known)
    return f"Did you mean {near}?" if near else f"Known: {', '.join(known) or 'none'}"
