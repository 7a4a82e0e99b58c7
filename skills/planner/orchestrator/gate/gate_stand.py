"""The status of a gate, and its description."""

from enum import StrEnum
from typing import Final, Literal, NamedTuple, TypeAlias

from lib.workflow.types import Outcome

GATE: Final = "gate"
"""The file of the passages of a gate."""
Lead: TypeAlias = Literal[Outcome.OK, Outcome.FAIL, Outcome.ITERATE, Outcome.SKIP]
"""The outcomes of a gate."""


class Stand(StrEnum):
    """The status of a gate; names the section of `prompts/gate.md` with the instructions."""

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
    """The user must decide."""
    CARRIED_OUT = "carried-out"
    ENDED = "ended"


class Decided(NamedTuple):
    """The decision of a gate, as a word for its page and as lines for its reader."""

    stand: Stand
    said: str
