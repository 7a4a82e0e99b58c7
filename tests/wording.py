"""Assertions that name what a message must carry, and leave its wording open."""

import re
from collections.abc import Callable

from lib.workflow.errors import RefusedError


def elided(said: str) -> str:
    """Return a pattern that finds the parts of a message in their order; `…` between them is any wording.

    Example:
        >>> bool(re.search(elided("'6' … 1 to 5"), "'6' is not a whole number from 1 to 5"))
        True
    """
    return "(?s)" + ".*".join(re.escape(part.strip()) for part in said.split("…"))


def carries(text: str, said: str) -> bool:
    """Return whether a text holds the parts of a message in their order; `…` between them is any wording."""
    return re.search(elided(said), text) is not None


def coded(code: str) -> Callable[[RefusedError], bool]:
    """Return a check for `pytest.raises`: True for a refusal with this code."""
    return lambda refusal: refusal.code == code
