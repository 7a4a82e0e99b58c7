"""The gate of a review: a pure function of what is on disk, of what is claimed, and of who may be let through.

It fails closed (law 10): a review passes when it has items and every one of them is PASS on disk.
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
    """Whether a failed item of a severity holds the gate in a round; one that names none is a MUST."""
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


def decide(
    review: Review | None,
    claimed: GateStatus,
    *,
    passed: bool = False,
    submitted: bool = True,
    before: frozenset[str] = frozenset(),
    grants: int = 0,
    policy: Policy = Policy.STRICT,
) -> Decision:
    """Where a review leads.

    `passed`: the ledger records that the gate was passed. `submitted`: it records that the work this round looks at is
    finished. `before`: what failed in that round. `grants`: rounds that the user has added.
    """
    if review is None:
        way = Way.PASS if passed else Way.DECOMPOSE
        return Decision(way=way, contradicted=claimed is GateStatus.PASS and not passed)
    open_ = review.of(ItemStatus.TODO, ItemStatus.FAIL)
    blocking = tuple(item.id for item in open_ if _blocks(item, review.iteration, policy))
    unjudged = tuple(item.id for item in open_ if item.judged != review.iteration)
    if not blocking:
        return Decision(way=Way.PASS, contradicted=claimed is GateStatus.FAIL)
    decision = Decision(way=Way.REPAIR, failed=blocking, unjudged=unjudged, contradicted=claimed is GateStatus.PASS)
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


def _blocks(item: ReviewItem, iteration: int, policy: Policy) -> bool:
    """Whether an item that has not passed holds the gate: one that nobody judged does, whatever its severity."""
    return item.judged != iteration or blocks(policy, item.severity, iteration)
