"""A finding that was replaced within its round, kept beside its replacement."""

from attrs import field, frozen

from lib.workflow.types import AgentRole
from lib.workflow.util.structs import Struct

from ..values import count, text


@frozen(kw_only=True)
class Correction(Struct):
    """The earlier finding of an item, and its verifier's reason to replace it."""

    iteration: int = field(validator=count)
    """The round of both findings."""
    finding: str = field(validator=text)
    """The finding before."""
    owner: AgentRole | None = None
    """The owner before."""
    reason: str = field(validator=text)
