"""The anchors of headings, as GitHub makes them: small letters, hyphens for blanks, numbers for duplicates."""

import unicodedata
from collections.abc import Iterable
from typing import Final

KEPT: Final = ("L", "M", "Nd", "Pc")
"""The categories of characters that stay: letters, marks, digits, and connectors of words (`_`)."""


def anchors_of(headings: Iterable[str]) -> frozenset[str]:
    """Return the anchors of a page's headings, in their order."""
    seen: dict[str, int] = {}
    for heading in headings:
        plain = anchor = slug(heading)
        while anchor in seen:
            seen[plain] += 1
            anchor = f"{plain}-{seen[plain]}"
        seen[anchor] = 0
    return frozenset(seen)


def slug(heading: str) -> str:
    """Return the anchor of one heading, apart from the rest of the page."""
    kept = (char for char in heading.strip().lower() if char in "- " or unicodedata.category(char).startswith(KEPT))
    return "".join(kept).replace(" ", "-")
