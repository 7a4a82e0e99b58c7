"""The gate of a review: a pure function of the review file and the ledger.

It fails closed: a review passes when it has items and every one of them is PASS on disk.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from attrs import evolve, frozen

from lib.workflow.types import GateStatus, Severity

from ..limits import MAX_ROUNDS, Policy
from ..schema.review import ItemStatus, Review, ReviewItem

LAST: Final[Mapping[Severity | None, int]] = MappingProxyType({Severity.COULD: 2, Severity.SHOULD: 4})
"""The last round in which a severity blocks, where the policy is graded; the others block always."""


def blocks(policy: Policy, severity: Severity | None, iteration: int) -> bool:
    """Return whether a failed item of a severity holds the gate in a round; one that names none is a MUST."""
    return policy is Policy.STRICT or iteration <= LAST.get(severity, iteration)


class Way(StrEnum):
    """Where a gate leads."""

    PASS = "pass"
    REPAIR = "repair"
    """Items have failed: back to the work."""
    VERIFY = "verify"
    """Items have no verdict in this round yet: back to the verification."""
    DECOMPOSE = "decompose"
    """There is no review."""
    ASK = "ask"
    """The last round has failed: the user decides."""


@frozen(kw_only=True)
class Decision:
    """What a gate decided, and why."""

    way: Way
    closes: bool = False
    """Whether this ends a round, which goes into the ledger."""
    failed: tuple[str, ...] = ()
    """The ids of the items that block."""
    unjudged: tuple[str, ...] = ()
    """The ids of the items without a verdict in this round."""
    contradicted: bool = False
    """What was claimed is not what is on disk; the disk decides."""
    stalled: bool = False
    """Exactly the items of the round before have failed again."""


def blocking(review: Review, policy: Policy) -> tuple[ReviewItem, ...]:
    """The failed items that hold the gate: the ones to fix. The gate and the pages of fixes both ask this."""
    return tuple(
        item for item in review.of(ItemStatus.FAIL) if blocks(policy, item.severity, item.judged or review.iteration)
    )


def decide(
    review: Review | None,
    claimed: GateStatus | None = None,
    *,
    passed: bool = False,
    submitted: bool = True,
    before: frozenset[str] = frozenset(),
    grants: int = 0,
    policy: Policy = Policy.STRICT,
) -> Decision:
    """Decide where a review leads.

    Args:
        review: the review file; None if there is none.
        claimed: what the verifiers are said to have found, if somebody says so. The file decides.
        passed: whether the ledger has the gate as passed.
        submitted: whether the work that the round reviews is handed in.
        before: the items that failed in the round before.
        grants: the rounds that the user has added.
        policy: which severities block.
    """
    if review is None:
        way = Way.PASS if passed else Way.DECOMPOSE
        return Decision(way=way, contradicted=claimed is GateStatus.PASS and not passed)
    open_ = review.of(ItemStatus.TODO, ItemStatus.FAIL)
    unjudged = tuple(item.id for item in open_ if item.judged != review.iteration)
    holding = blocking(review, policy)
    failed = tuple(item.id for item in open_ if item.id in unjudged or item in holding)
    if not failed:
        return Decision(way=Way.PASS, contradicted=claimed is GateStatus.FAIL)
    decision = Decision(way=Way.REPAIR, failed=failed, unjudged=unjudged, contradicted=claimed is GateStatus.PASS)
    return _of_failed(decision, review, submitted, before, grants)


def _of_failed(decision: Decision, review: Review, submitted: bool, before: frozenset[str], grants: int) -> Decision:
    if review.iteration > 1 and not submitted:  # the round was closed when the gate was asked before
        return decision
    if decision.unjudged:
        return evolve(decision, way=Way.VERIFY)
    stalled = frozenset(decision.failed) == before
    if review.iteration >= MAX_ROUNDS + grants:
        return evolve(decision, way=Way.ASK, stalled=stalled)
    return evolve(decision, closes=True, stalled=stalled)
