"""Entries of a run's ledger: hand-ins, rounds, passed gates, grants, contests, answers and reopened phases."""

from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from lib.workflow.types import AgentRole
from lib.workflow.util.characters import one_line
from lib.workflow.util.structs import Struct

from ..ids import EntityKind, IdOf
from ..phase import Phase
from ..values import count, text
from .correction import Correction
from .item_status import ItemStatus

if TYPE_CHECKING:
    from attrs import Attribute

DIGEST_LENGTH: Final = 64
"""Hexadecimal digits of a SHA-256."""


def digest(instance: object, attribute: "Attribute[Any]", value: str | None) -> None:
    """Check, as an attrs validator, for a SHA-256 in lower-case hexadecimal digits, or None."""
    if value is not None and (len(value) != DIGEST_LENGTH or value.strip("0123456789abcdef")):
        raise ValueError(f"{type(instance).__name__}.{attribute.name}: {value!r:.80} is not a hexadecimal SHA-256")


@frozen(kw_only=True)
class Verdict(Struct):
    """The result of a round for one item."""

    item: str = field(validator=one_line)
    check: str | None = field(default=None, validator=text)
    """The condition of the item: its review is deleted when the phase passes. None for a command of the project."""
    status: ItemStatus
    finding: str | None = field(default=None, validator=text)
    owner: AgentRole | None = None
    """The role that fixes it; None for the role of the phase."""
    corrections: tuple[Correction, ...] = ()
    """The findings that were replaced in the round."""


@frozen(kw_only=True)
class Entry(Struct):
    """The common part of all entries about a phase: its time."""

    phase: Phase
    wave: str | None = field(default=None, validator=IdOf(EntityKind.WAVE))
    """None while planning."""
    lap: int = field(default=1, validator=count)
    """The lap of the wave."""

    @property
    def at(self) -> tuple[Phase, str | None, int]:
        """Return phase, wave and lap. An entry of one counts for no other."""
        return self.phase, self.wave, self.lap


@frozen(kw_only=True)
class Round(Entry):
    """One closed verification of a review."""

    iteration: int = field(validator=count)
    verdicts: tuple[Verdict, ...]

    @property
    def failed(self) -> frozenset[str]:
        """Return the items that failed."""
        return frozenset(verdict.item for verdict in self.verdicts if verdict.status is not ItemStatus.PASS)


@frozen(kw_only=True)
class Submission(Entry):
    """A hand-in: work that its agent has finished and validated, for the review of a round."""

    iteration: int = field(validator=count)
    """The round that reviews it: 1 for the first execution, the next round for a fix."""
    milestone: str | None = field(default=None, validator=IdOf(EntityKind.MILESTONE))
    """The milestone that a developer has built; None if an agent does all of a phase."""
    owner: AgentRole | None = None
    """The role that fixes findings of its own, if it is not the role of the phase."""
    digest: str | None = field(default=None, validator=digest)
    """The digest of the plan, or of the files of the wave. None in runs of earlier versions."""
    apart: bool = False
    """True if its agent had a worktree of its own, so that the files of other agents may be missing in the digest."""


@frozen(kw_only=True)
class PassedGate(Entry):
    """A review that has passed, and the content that it passed."""

    plan_digest: str = field(validator=digest)
    digest: str | None = field(default=None, validator=digest)
    """The digest of the wave's files; None for a phase of planning, and in runs of earlier versions."""
    accepted: tuple[str, ...] = ()
    """Items that had failed, and that the user accepted as they are."""
    remarks: tuple[str, ...] = ()
    """Reviewers' remarks on words and form. They hold nothing up; the next pages show them."""


@frozen(kw_only=True)
class Grant(Entry):
    """One more round, granted by the user after the last one."""

    iteration: int = field(validator=count)
    """The round that it allows."""


@frozen(kw_only=True)
class Contest(Entry):
    """A finding that its author considers wrong, and the case that shows it."""

    iteration: int = field(validator=count)
    """The round that judges it."""
    item: str = field(validator=one_line)
    case: str = field(validator=text)


@frozen(kw_only=True)
class Reopening(Struct):
    """A step back by the user: the gates of a phase and of all after it, with the approval."""

    phase: Phase
    reason: str = field(validator=text)
    """The reason in the user's words."""
    approval: str | None = field(default=None, validator=digest)
    """The digest of the plan that was approved."""
    gates: tuple[PassedGate, ...] = ()
    rounds: tuple[Round, ...] = ()
    submissions: tuple[Submission, ...] = ()
    grants: tuple[Grant, ...] = ()
    contests: tuple[Contest, ...] = ()


@frozen(kw_only=True)
class Answer(Entry):
    """The user's answer to a relayed question."""

    header: str = field(validator=one_line)
    text: str = field(validator=text)
