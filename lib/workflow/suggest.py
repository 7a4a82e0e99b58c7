"""What to write instead of a name that is not known."""

from collections.abc import Iterable


def expected(got: str, legal: Iterable[str]) -> str:
    """What to write instead: the legal names, the nearest first."""
    names = sorted(legal)
    near = nearest(got, names)
    listed = ", ".join(names) or "nothing"
    return f"did you mean {near!r}? Legal here: {listed}" if near else f"legal here: {listed}"


def nearest(got: str, names: Iterable[str]) -> str | None:
    """The name that is most like what was written, whatever its case; None where none is like it."""
    import difflib  # a name that is not known is rare: a step need not pay for it

    folded = {str(name).casefold(): str(name) for name in names}  # a member of an enum shows itself otherwise
    near = difflib.get_close_matches(got[:60].casefold(), folded, 1)
    return folded[near[0]] if near else None
