"""The planner's numbers and policies, for the code that enforces them and the texts that mention them."""

from enum import StrEnum
from typing import Final


class Policy(StrEnum):
    """The failed items that block a gate."""

    STRICT = "strict"
    """All, in every round."""
    GRADED = "graded"
    """COULD in the first two rounds, SHOULD in the first four, MUST always (004)."""


MAX_ROUNDS: Final = 5
"""Most verifications of a phase."""
LIGHT_ROUNDS: Final = 2
"""Most verifications of a phase of a light run; after them the user decides."""
MAX_GRANTS: Final = 3
"""Most rounds that a user can add to them."""
MAX_PARALLEL: Final = 8
"""Agents at a time, unless the user says otherwise."""
MOST_PARALLEL: Final = 32
"""Most agents at a time that a user can ask for; a page of more would not be printed whole."""
MAX_GROUP: Final = 10
"""Most items of a review that one agent verifies; a larger group is divided."""
MAX_DEVELOPERS: Final = 4
"""Most developers who build the milestones of a wave at a time."""
MAX_LAPS: Final = 3
"""Most times that a plan's work is checked with the project's own checks, unless the user grants more."""
CHECK_SECONDS: Final = 300.0
"""Seconds for one of the project's checks."""
MAX_SAID: Final = 2000
"""Characters kept from the end of a check's output."""
MAX_GOAL: Final = 300
"""Most characters of a run's goal, which is one sentence."""
PLAN_BASE: Final = 5_000
"""Characters of a design, as its readers see it; each of its reviewers reads it whole."""
PLAN_EACH: Final = 2_000
"""Characters that each milestone adds to them."""
PLAN_REPAIR: Final = 1_000
"""Characters that each repair of a design may add to them."""
PLAN_SLACK: Final = 1_000
"""Characters by which a design may exceed its limit: another change would cost more than they do."""
MAX_FINDING_SENTENCES: Final = 3
"""Most sentences that a verifier writes on an item that fails."""
