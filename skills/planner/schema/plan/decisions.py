"""Decisions, rejected alternatives and risks: the planning context of a plan."""

from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from lib.workflow.util.paths import project_path
from lib.workflow.util.structs import Struct

from ..ids import EntityKind, IdOf
from ..values import count, text, texts

if TYPE_CHECKING:
    from attrs import Attribute


@frozen(kw_only=True)
class Decision(Struct):
    """A decision and its reasons."""

    id: str = field(validator=IdOf(EntityKind.DECISION))
    version: int = field(default=1, validator=count)
    decision: str = field(validator=text)
    reasoning: str = field(validator=text)
    """The chain of reasons, each `->` a step: high call volume -> bcrypt is too slow -> HMAC-SHA256."""


@frozen(kw_only=True)
class RejectedAlternative(Struct):
    """An alternative that was not chosen, the reason, and the decision that replaces it."""

    id: str = field(validator=IdOf(EntityKind.REJECTED_ALTERNATIVE))
    version: int = field(default=1, validator=count)
    alternative: str = field(validator=text)
    reason: str = field(validator=text)
    decision_ref: str = field(validator=IdOf(EntityKind.DECISION))


def anchor(instance: object, attribute: "Attribute[Any]", value: str | None) -> None:
    """Check, as an attrs validator, for `src/auth.py:L10-L50`: a file of the project with lines in their order."""
    if value is None:
        return
    where = f"{type(instance).__name__}.{attribute.name}"
    path, _, lines = value.rpartition(":")
    first, dash, last = lines.partition("-")
    numbers = [_line(word) for word in ((first, last) if dash else (first,))]
    if 0 in numbers or numbers != sorted(numbers):
        raise ValueError(f"{where}: {value!r:.60} does not name lines of a file; write path:L10-L50")
    try:
        project_path(path)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _line(word: str) -> int:
    """Return the number in `L12`; 0 for any other text."""
    digits = word.removeprefix("L")
    return int(digits) if digits != word and digits.isascii() and digits.isdigit() and len(digits) < 10 else 0


@frozen(kw_only=True)
class Risk(Struct):
    """A possible problem, and its mitigation."""

    id: str = field(validator=IdOf(EntityKind.RISK))
    version: int = field(default=1, validator=count)
    risk: str = field(validator=text)
    mitigation: str = field(validator=text)
    anchor: str | None = field(default=None, validator=anchor)
    """The place that it concerns, `src/auth.py:L10-L50`; None if it has none."""
    decision_ref: str | None = field(default=None, validator=IdOf(EntityKind.DECISION))


@frozen(kw_only=True)
class PlanningContext(Struct):
    """The basis of the plan."""

    decisions: tuple[Decision, ...] = ()
    rejected_alternatives: tuple[RejectedAlternative, ...] = ()
    constraints: tuple[str, ...] = field(default=(), validator=texts)
    """Free-form: `MUST: support Python 3.9+ (user-specified)`. Their ids are their places: C-001 is the first."""
    risks: tuple[Risk, ...] = ()
