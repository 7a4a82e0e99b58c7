"""How a gate stands, and what it says of the record."""

from enum import StrEnum
from typing import NamedTuple


class Stand(StrEnum):
    """Names the section of `prompts/gate.md` that says what to do."""

    PASSED = "passed"
    NEXT = "next"
    """The wave has passed its reviews, and another follows."""
    APPROVED = "approved"
    """Passed, and nothing is left to plan."""
    REPAIR = "repair"
    UNJUDGED = "unjudged"
    LAP = "lap"
    """The project's own checks have failed after the last wave."""
    ASKED = "asked"
    """The user is to decide."""
    CARRIED_OUT = "carried-out"
    ENDED = "ended"


class Decided(NamedTuple):
    """What a gate has decided, in a word for its page and in lines for its reader."""

    stand: Stand
    said: str
