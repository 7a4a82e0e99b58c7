"""Suggestions for unknown names, and repeated names."""

from collections.abc import Iterable


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
    near = difflib.get_close_matches(got[:60].casefold(), folded, 1)
    return folded[near[0]] if near else None
