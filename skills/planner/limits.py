"""The planner's numbers and policies: what enforces them and what tells of them read them here."""

from enum import StrEnum
from typing import Final


class Policy(StrEnum):
    """Which failed items hold a gate."""

    STRICT = "strict"
    """All, in every round (002)."""
    GRADED = "graded"
    """COULD in the first two rounds, SHOULD in the first four, MUST always (004)."""


MAX_ROUNDS: Final = 5
"""Verifications of a phase (002, "QR iteration limit")."""
MAX_GRANTS: Final = 3
"""Rounds that a user can add to them."""
MAX_PARALLEL: Final = 8
"""Agents at a time, unless the user says otherwise."""
MOST_PARALLEL: Final = 32
"""Agents at a time that a user can ask for; a page of more would not be printed whole."""
MAX_FINDING_SENTENCES: Final = 3
"""Of what a verifier writes of an item that fails."""
