"""The gate of a review: a pure function of the review file and the ledger.

It fails closed: a review passes only if it has items and every item is PASS on disk.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from attrs import evolve, frozen

from lib.workflow.types import Severity

from ..limits import MAX_ROUNDS, Policy
from ..schema.review.document import ItemStatus, Review, ReviewItem

LAST: Final[Mapping[Severity | None, int]] = MappingProxyType({Severity.COULD: 2, Severity.SHOULD: 4})
"""The last round in which a severity blocks, where the policy is graded; the others block always."""


def blocks(policy: Policy, severity: Severity | None, iteration: int) -> bool:
    """Return whether a failed item of a severity holds the gate in a round; one that names none is a MUST."""
    return policy is Policy.STRICT or iteration <= LAST.get(severity, iteration)


class Way(StrEnum):
    """The direction in which a gate leads."""

    PASS = "pass"
    REPAIR = "repair"
    """Items have failed: back to the work."""
    VERIFY = "verify"
    """Items have no verdict in this round yet: back to the verification."""
    DECOMPOSE = "decompose"
    """The phase has no review."""
    ASK = "ask"
    """The last round has failed: the user decides."""


@frozen(kw_only=True)
class Decision:
    """The decision of a gate, and its reasons."""

    way: Way
    closes: bool = False
    """True if this ends a round, which goes into the ledger."""
    failed: tuple[str, ...] = ()
    """The ids of the items that block."""
    unjudged: tuple[str, ...] = ()
    """The ids of the items without a verdict in this round."""
    stalled: bool = False
    """Exactly the items of the round before have failed again."""


def blocking(review: Review, policy: Policy) -> tuple[ReviewItem, ...]:
    """Return the failed items that block the gate and must be fixed. The gate and the pages of fixes use this."""
    return tuple(
        item for item in review.of(ItemStatus.FAIL) if blocks(policy, item.severity, item.judged or review.iteration)
    )


def decide(
    review: Review | None,
    *,
    passed: bool = False,
    submitted: bool = True,
    before: frozenset[str] = frozenset(),
    most: int = MAX_ROUNDS,
    policy: Policy = Policy.STRICT,
) -> Decision:
    """Decide where a review leads.

    Args:
        review: The review file; None if none exists.
        passed: True if the ledger has the gate as passed.
        submitted: True if the work that the round reviews is handed in.
        before: The items that failed in the round before.
        most: The rounds that there are, with those that the user has added.
        policy: The severities that block.
    """
    if review is None:
        return Decision(way=Way.PASS if passed else Way.DECOMPOSE)
    open_ = review.of(ItemStatus.TODO, ItemStatus.FAIL)
    unjudged = tuple(item.id for item in open_ if item.judged != review.iteration)
    holding = blocking(review, policy)
    failed = tuple(item.id for item in open_ if item.id in unjudged or item in holding)
    if not failed:
        return Decision(way=Way.PASS)
    decision = Decision(way=Way.REPAIR, failed=failed, unjudged=unjudged)
    return _of_failed(decision, review, submitted, before, most)


def _of_failed(decision: Decision, review: Review, submitted: bool, before: frozenset[str], most: int) -> Decision:
    if review.iteration > 1 and not submitted:  # the gate closed the round in an earlier call
        return decision
    if decision.unjudged:
        return evolve(decision, way=Way.VERIFY)
    stalled = frozenset(decision.failed) == before
    if review.iteration >= most:
        return evolve(decision, way=Way.ASK, stalled=stalled)
    return evolve(decision, closes=True, stalled=stalled)
