"""Closed sets of values and limits that the tree, the workflows and the commands share."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .util.domains import BoundedInt as BoundedInt
    from .util.domains import ChoiceSet as ChoiceSet
    from .util.domains import Constant as Constant
    from .util.domains import Samples as Samples

MAX_QUESTIONS: Final = 3
"""Maximum questions to the user at a time."""
MIN_OPTIONS: Final = 2
MAX_OPTIONS: Final = 3
"""Maximum options of one question."""
MAX_HEADER: Final = 12
"""Maximum characters; clients show the header of a question on a button."""


MAX_ROLE: Final = 64
"""Maximum characters of a role's name."""


class Outcome(StrEnum):
    """The outcome of a step, independent of its target."""

    OK = "ok"
    FAIL = "fail"
    SKIP = "skip"
    ITERATE = "iterate"
    DEFAULT = "_default"
    """Only a key of `next`: the target of outcomes without their own entry."""


class GateStatus(StrEnum):
    """The decision of a gate."""

    PASS = "pass"
    FAIL = "fail"


class AgentRole(StrEnum):
    """The roles of agents. The values are the agents' names in clients.

    A package can bring further roles, which the entry point `stepscript.roles` defines for clients. Any name of
    lower-case words gives such a role: `AgentRole("security-reviewer")`.
    """

    ARCHITECT = "architect"
    DEVELOPER = "developer"
    TECHNICAL_WRITER = "technical-writer"
    QUALITY_REVIEWER = "quality-reviewer"
    EXPLORE = "explore"
    GENERAL_PURPOSE = "general-purpose"
    ORCHESTRATOR = "orchestrator"

    @classmethod
    def _missing_(cls, value: object) -> "AgentRole | None":
        if not isinstance(value, str) or not _is_role(value):
            return None
        role = str.__new__(cls, value)
        role._name_, role._value_ = value.replace("-", "_").upper(), value
        return role


def _is_role(name: str) -> bool:
    """Return True for lower-case words joined by hyphens, which each client takes as the name of an agent."""
    words = name.split("-")
    plain = name.isascii() and name == name.lower() and all(word.isalnum() for word in words)
    return plain and len(name) <= MAX_ROLE and words[0][:1].isalpha()


class Tier(StrEnum):
    """The strength of the model that a piece of work needs; a table maps each tier to a client's model names."""

    FAST = "fast"
    STANDARD = "standard"
    STRONG = "strong"


class Confidence(StrEnum):
    """The strength of the evidence, rising; each skill's ledger tests say what earns a level."""

    EXPLORING = "exploring"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CERTAIN = "certain"


class Severity(StrEnum):
    """The severity of a finding, from worst to least (MoSCoW: Clegg; DSDM handbook, chapter 10)."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    COULD = "COULD"


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import the domains, whose classes a step does not need."""
        if name in ("BoundedInt", "ChoiceSet", "Constant", "Samples"):
            from .util import domains

            return getattr(domains, name)
        raise AttributeError(name)
