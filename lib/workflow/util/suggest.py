"""What is wrong with names: those that are not known, with what to write instead, and those that repeat."""

from collections.abc import Iterable


def expected(got: str, legal: Iterable[str]) -> str:
    """What to write instead: the legal names, the nearest first."""
    names = sorted(legal)
    near = nearest(got, names)
    listed = ", ".join(names) or "nothing"
    return f"did you mean {near!r}? Legal here: {listed}" if near else f"legal here: {listed}"


def repeated(names: Iterable[str]) -> tuple[str, ...]:
    """The names that a list holds more than once, in its order."""
    seen: dict[str, bool] = {}
    for name in names:
        seen[name] = name in seen
    return tuple(name for name, again in seen.items() if again)


def nearest(got: str, names: Iterable[str]) -> str | None:
    """The name that is most like what was written, whatever its case; None where none is like it."""
    import difflib  # a name that is not known is rare: a step need not pay for it

    folded = {str(name).casefold(): str(name) for name in names}  # a member of an enum shows itself otherwise
    near = difflib.get_close_matches(got[:60].casefold(), folded, 1)
    return folded[near[0]] if near else None
