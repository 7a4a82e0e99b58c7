"""What run.json holds: which run this is, and its ledger of what has been decided (`decisions.md`, "The ledger")."""

import os
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from lib.workflow.characters import one_line

from .ids import IdOf, Kind
from .phase import Phase
from .review import ItemStatus
from .values import count, text

if TYPE_CHECKING:
    from attrs import Attribute

DIGEST_LENGTH: Final = 64
"""Hexadecimal digits of a SHA-256."""


def digest(instance: object, attribute: "Attribute[Any]", value: str | None) -> None:
    """An attrs validator: a SHA-256 in lower-case hexadecimal digits, or None."""
    if value is not None and (len(value) != DIGEST_LENGTH or value.strip("0123456789abcdef")):
        raise ValueError(f"{type(instance).__name__}.{attribute.name}: {value!r:.80} is no SHA-256 in hexadecimal")


def _absolute(instance: object, attribute: "Attribute[Any]", value: str) -> None:
    one_line(instance, attribute, value)
    if not os.path.isabs(value):
        raise ValueError(f"{type(instance).__name__}.{attribute.name}: {value!r:.60} must be an absolute path")


@frozen(kw_only=True)
class Verdict:
    """What a round found about one item."""

    item: str = field(validator=one_line)
    status: ItemStatus
    finding: str | None = field(default=None, validator=text)


@frozen(kw_only=True)
class Round:
    """One verification of a review, closed."""

    phase: Phase
    wave: str | None = field(default=None, validator=IdOf(Kind.WAVE))
    """None while planning."""
    iteration: int = field(validator=count)
    verdicts: tuple[Verdict, ...]


@frozen(kw_only=True)
class PassedGate:
    """A review that was passed, and the plan that it passed."""

    phase: Phase
    wave: str | None = field(default=None, validator=IdOf(Kind.WAVE))
    plan_digest: str = field(validator=digest)


@frozen(kw_only=True)
class Answer:
    """What the user said to a question that was relayed."""

    phase: Phase
    wave: str | None = field(default=None, validator=IdOf(Kind.WAVE))
    header: str = field(validator=one_line)
    text: str = field(validator=text)


@frozen(kw_only=True)
class Run:
    """A run of the planner, from the user's task to the last wave."""

    id: str = field(validator=one_line)
    task: str = field(validator=text)
    """In the user's words."""
    project_root: str = field(validator=_absolute)
    context_digest: str | None = field(default=None, validator=digest)
    """Of the frozen context; None until it is frozen."""
    gates: tuple[PassedGate, ...] = ()
    rounds: tuple[Round, ...] = ()
    answers: tuple[Answer, ...] = ()
    wave: str | None = field(default=None, validator=IdOf(Kind.WAVE))
    """The wave that is being built; None while planning."""
    approval: str | None = field(default=None, validator=digest)
    """The digest of the approved plan: the executor takes no other."""
