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
MAX_GROUP: Final = 10
"""Items of a review that one agent verifies; a larger group is divided."""
MAX_DEVELOPERS: Final = 4
"""Who build the milestones of a wave at a time (002, "Execution Workflow")."""
MAX_LAPS: Final = 3
"""Times that a plan's work is held against the project's own checks, unless the user grants more."""
CHECK_SECONDS: Final = 300.0
"""Of one of the project's checks."""
MAX_SAID: Final = 2000
"""Characters of a check's output that are kept: its end."""
PLAN_BASE: Final = 5_000
"""Characters of a design, as its readers are shown it; each of its reviewers reads it whole."""
PLAN_EACH: Final = 2_000
"""Characters that each milestone adds to them."""
MAX_FINDING_SENTENCES: Final = 3
"""Of what a verifier writes of an item that fails."""
