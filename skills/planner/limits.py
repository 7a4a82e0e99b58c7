"""The planner's numbers: what enforces them and what tells of them read them here."""

from typing import Final

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
