"""Candidates as rows of text, for pages and for questions."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ..record import Candidate

BEYOND: Final = "beyond those that its sweep puts first"
"""The reason why a candidate is not examined that a sweep lists under `more`."""
CUT: Final = " …"
"""The end of a text that is cut."""


def cell(text: str) -> str:
    """Return the text as a column of a row, with bars escaped."""
    return text.replace("|", "\\|")


def cut(text: str, most: int) -> str:
    """Return the text, cut to a length."""
    return text if len(text) <= most else f"{text[: most - 2].rstrip()}{CUT}"


def places(each: "Candidate") -> str:
    """Return the fact and both places, for a choice among candidates."""
    found = each.found
    unseen = " | not run" if found.not_run else ""
    return f"{each.id} | {cell(found.fact)} | {cell(found.left)} | {cell(found.right)}{unseen}"


def sides(each: "Candidate") -> str:
    """Return both places with their words."""
    found = each.found
    left, right = (
        f"{place} {cell(says)}"
        for place, says in ((cell(found.left), found.left_says), (cell(found.right), found.right_says))
    )
    return f"{each.id} | {left} | {right}"


def whole(each: "Candidate") -> str:
    """Return the fact, and a line for each place with its words."""
    found = each.found
    lines = f"  {found.left}: {found.left_says}\n  {found.right}: {found.right_says}"
    return f"{each.id} | {cell(found.fact)}\n{lines}"
