"""Verdicts of a review: the verdicts that a round accepts, and their effect on an item.

Every command that records verdicts calls `judge`, so that the rule is in one place.
"""

import re
from typing import Final

from attrs import evolve, field, frozen

from lib.workflow.errors import RefusedError
from lib.workflow.types import AgentRole
from lib.workflow.util.structs import Struct
from lib.workflow.util.suggest import expected

from ..phases import EXECUTING, PLANNING
from ..schema.ids import ID, EntityKind, kind_of
from ..schema.phase import Phase
from ..schema.review.correction import Correction
from ..schema.review.document import ItemStatus, Review, ReviewItem
from ..schema.values import text
from ..state.reviews import get_qr_item

ARCHITECTS: Final = frozenset(
    {EntityKind.DECISION, EntityKind.REJECTED_ALTERNATIVE, EntityKind.RISK, EntityKind.CONSTRAINT, EntityKind.WAVE}
)
"""The kinds of entities that only the architect writes."""
NAMED: Final = rf"(?<![\w-])(?:{ID})(?![\w-])"


@frozen(kw_only=True)
class Judgement(Struct):
    """A verifier's verdict on one item.

    Raises ValueError for a FAIL without a finding, and for a PASS with a finding, an owner or a correction.
    """

    item: str
    status: ItemStatus
    finding: str | None = field(default=None, validator=text)
    """The fault and its place; required for a FAIL."""
    owner: AgentRole | None = None
    """The role that fixes it, if it is not the role of the phase."""
    correction: str | None = field(default=None, validator=text)
    """The reason why the item's finding of this round is replaced."""

    def __attrs_post_init__(self) -> None:
        if self.status is ItemStatus.TODO:
            raise ValueError("a verdict is PASS or FAIL")
        if self.status is ItemStatus.FAIL and self.finding is None:
            raise ValueError("a FAIL needs a finding: name the fault and its place")
        if self.status is ItemStatus.PASS and (self.finding or self.owner or self.correction):
            raise ValueError("a PASS has no finding, owner or correction; record a fault as FAIL")


def judge(review: Review, verdict: Judgement) -> Review:
    """Record one verdict of the review's current round.

    - A PASS is final in every round.
    - A FAIL stays one until the next round.
    - A second finding in one round needs a reason; the first finding is kept beside it.
    - The same verdict again changes nothing.

    Returns:
        The review with the item as judged.

    Raises:
        RefusedError: For an unknown item, a verdict that the round does not accept, an owner that cannot fix it.
    """
    before = get_qr_item(review, verdict.item)
    if verdict.owner is not None:
        _check_owner(review.phase, verdict.item, verdict.owner)
    elif verdict.status is ItemStatus.FAIL:
        verdict = evolve(verdict, owner=owner_of_scope(review.phase, before.scope))
    if before.status is ItemStatus.PASS:
        if verdict.status is ItemStatus.PASS:
            return review
        fix = "report the finding in your reply"
        raise RefusedError("item-passed", before.id, "it has passed, which is final", fix)
    if before.status is ItemStatus.FAIL and before.judged == review.iteration:
        after = _again(before, verdict, review.iteration)
    else:
        _check_uncorrected(verdict)
        status, finding, owner = verdict.status, verdict.finding, verdict.owner
        after = evolve(before, status=status, finding=finding, owner=owner, judged=review.iteration)
    return review.replace((before.id,), lambda _: after)


def _again(before: ReviewItem, verdict: Judgement, round_: int) -> ReviewItem:
    """Return the item after a second verdict in the round of its FAIL."""
    if verdict.status is ItemStatus.PASS:
        what = f"it failed in round {round_} and stays failed in this round: {before.finding}"
        fix = "if the finding is wrong, correct it by another FAIL with a correction; the next round can pass the item"
        raise RefusedError("item-failed", before.id, what, fix)
    if (verdict.finding, verdict.owner) == (before.finding, before.owner):
        return before
    if verdict.correction is None:
        what = f"it has a finding in round {round_}: {before.finding}"
        fix = "add a correction, which says why the finding is replaced; both stay recorded"
        raise RefusedError("item-failed", before.id, what, fix)
    assert before.finding is not None  # it is a FAIL
    old = Correction(iteration=round_, finding=before.finding, owner=before.owner, reason=verdict.correction)
    return evolve(before, finding=verdict.finding, owner=verdict.owner, corrections=(*before.corrections, old))


def _check_uncorrected(verdict: Judgement) -> None:
    if verdict.correction is not None:
        what, fix = "it has no finding in this round to correct", "send the same without the correction"
        raise RefusedError("nothing-to-correct", verdict.item, what, fix)


def _check_owner(phase: Phase, item: str, owner: AgentRole) -> None:
    """Raise RefusedError for a role that neither this phase nor one before it belongs to."""
    known = owners(phase)
    if owner not in known:
        what = f"{owner} has no part in {phase} or in a phase before it"
        raise RefusedError("invalid-value", item, what, expected(owner, known))


def owner_of_scope(phase: Phase, scope: str) -> AgentRole | None:
    """Return the role that owns all entities that a scope names, if only one role ever writes them; else None.

    Milestones, intents and changes are ignored, because a scope often names them only as places to look.
    """
    found = [kind_of(match[0]) for match in re.finditer(NAMED, scope)]
    architects = bool(found) and all(kind in ARCHITECTS for kind in found)
    return AgentRole.ARCHITECT if architects and AgentRole.ARCHITECT in owners(phase) else None


def owners(phase: Phase) -> tuple[AgentRole, ...]:
    """Return the roles that can fix a finding of a phase: those of the phases up to it, in their order."""
    rows = PLANNING if any(row.phase is phase for row in PLANNING) else EXECUTING
    phases = [row.phase for row in rows]
    return tuple(row.role for row in rows[: phases.index(phase) + 1])
