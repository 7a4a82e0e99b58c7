"""Outputs of commands other than steps."""

from enum import StrEnum

from attrs import field, frozen

from ..util.characters import one_line
from .fields import ELEMENT, Node
from .nodes import Invoke


class RefusalSeverity(StrEnum):
    """The kind of refusal: the sender can fix the request, or the program itself is broken."""

    ERROR = "error"
    FATAL = "fatal"


@frozen(kw_only=True)
class Refusal(Node):
    """A refused request: the reason and the fix, printed on standard output with exit status 1.

    `code` is a fixed word for programs; `target` is the refused file, entity or step.
    """

    tag = "refusal"
    code: str = field(validator=one_line)
    severity: RefusalSeverity = RefusalSeverity.ERROR
    target: str
    message: str = field(metadata=ELEMENT)
    fix: str = field(metadata=ELEMENT)
    invoke: Invoke | None = None
    """The command that does what `fix` says, if there is one."""


class Operation(StrEnum):
    """The change that a command made to an entity."""

    CREATED = "created"
    UPDATED = "updated"
    DELETED = "deleted"
    UNCHANGED = "unchanged"


@frozen(kw_only=True)
class EntityResult(Node):
    """One line of output for a changed entity."""

    tag = "entity_result"
    id: str = field(validator=one_line)
    version: int
    operation: Operation
    name: str | None = field(default=None, validator=one_line)
    """The name that a batch request gave the entity with `as`."""


@frozen(kw_only=True)
class VersionMismatchError(Node):
    """The refusal of an update that gives no version or not the current one."""

    tag = "version_mismatch_error"
    entity_id: str = field(validator=one_line)
    provided_version: int | None = None
    """None if the update gave no version."""
    current_version: int
    current_entity: str = field(metadata=ELEMENT)
    """The entity as JSON."""
    action: str = field(metadata=ELEMENT)
