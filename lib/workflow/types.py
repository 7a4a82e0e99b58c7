"""The closed sets of values and the limits that the tree, the workflows and the commands share."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from .util.domains import BoundedInt as BoundedInt
    from .util.domains import ChoiceSet as ChoiceSet
    from .util.domains import Constant as Constant
    from .util.domains import Samples as Samples

Value: TypeAlias = str | int | bool | None
"""What a flag can carry; None is a flag that was not given. An enum's members are strings."""
MAX_QUESTIONS: Final = 3
"""That are put to the user at once (003, "Question Relay Protocol"), as are the three below."""
MIN_OPTIONS: Final = 2
MAX_OPTIONS: Final = 3
"""Answers to pick from, of one question."""
MAX_HEADER: Final = 12
"""Characters; clients show the header of a question on a button."""


class Outcome(StrEnum):
    """What happened at a step, apart from where that leads (specification 003, "Outcome Enum")."""

    OK = "ok"
    FAIL = "fail"
    SKIP = "skip"
    ITERATE = "iterate"
    DEFAULT = "_default"
    """Only a key of `next`: where an outcome leads that is not mapped itself."""


class GateStatus(StrEnum):
    """What a gate decides (specification 002: `--qr-status`)."""

    PASS = "pass"
    FAIL = "fail"


class AgentRole(StrEnum):
    """Who does a piece of work. The values are the names under which clients know the agents."""

    ARCHITECT = "architect"
    DEVELOPER = "developer"
    TECHNICAL_WRITER = "technical-writer"
    QUALITY_REVIEWER = "quality-reviewer"
    EXPLORE = "explore"
    GENERAL_PURPOSE = "general-purpose"
    ORCHESTRATOR = "orchestrator"


class Tier(StrEnum):
    """How strong a model a piece of work asks for; a table maps each to a client's own names."""

    FAST = "fast"
    STANDARD = "standard"
    STRONG = "strong"


class Confidence(StrEnum):
    """How far the evidence carries, rising; each skill says by tests on its ledger what earns a level."""

    EXPLORING = "exploring"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CERTAIN = "certain"


class Severity(StrEnum):
    """How bad a finding is, from worst to least (MoSCoW: Clegg; DSDM handbook, chapter 10)."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    COULD = "COULD"


class LoopState(StrEnum):
    """Where a review loop stands (specification 004, "QR Gate Mechanics")."""

    INITIAL = "initial"
    RETRY = "retry"
    COMPLETE = "complete"

    def after(self, passed: bool) -> "LoopState":
        """The state after one more verdict. Raises ValueError when the loop is complete: its end is final."""
        if self is LoopState.COMPLETE:
            raise ValueError("the loop is complete; a new review starts a new loop at INITIAL")
        return LoopState.COMPLETE if passed else LoopState.RETRY


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """The domains, where 003 looks for them; a step does not pay for their classes."""
        if name in ("BoundedInt", "ChoiceSet", "Constant", "Samples"):
            from .util import domains

            return getattr(domains, name)
        raise AttributeError(name)
