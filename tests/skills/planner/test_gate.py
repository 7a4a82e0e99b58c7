"""The gate's truth table (law 10): it passes if every item is PASS on disk, and fails closed otherwise."""

import pytest

from lib.workflow.types import Severity
from skills.planner.limits import MAX_ROUNDS, Policy
from skills.planner.review.gate import Way, blocking, decide
from skills.planner.schema.phase import Phase
from skills.planner.schema.review.document import ItemStatus, Review, ReviewItem


def review(iteration: int, *statuses: str, severity: Severity | None = None) -> Review:
    """Return items as `P` (passed), `F` (failed in this round), `f` (failed in an earlier one), `T` (never judged)."""
    items = []
    for number, mark in enumerate("".join(statuses), 1):
        judged = {"P": iteration, "F": iteration, "f": max(1, iteration - 1), "T": None}[mark]
        status = {"P": ItemStatus.PASS, "T": ItemStatus.TODO}.get(mark, ItemStatus.FAIL)
        finding = "why" if status is ItemStatus.FAIL else None
        items.append(
            ReviewItem(
                id=f"qa-{number:03d}",
                scope="*",
                check="c",
                status=status,
                finding=finding,
                judged=judged,
                severity=severity,
            )
        )
    return Review(phase=Phase.PLAN_DESIGN, iteration=iteration, items=tuple(items))


@pytest.mark.parametrize(
    ("found", "more", "way"),
    [
        (review(1, "PPP"), {}, Way.PASS),
        (review(3, "PPP"), {"submitted": False}, Way.PASS),
        (review(1, "PFP"), {}, Way.REPAIR),
        (review(1, "PTP"), {}, Way.VERIFY),
        (review(1, "TTT"), {}, Way.VERIFY),
        (review(1, "FTP"), {}, Way.VERIFY),
        (review(2, "fPP"), {"submitted": False}, Way.REPAIR),
        (review(2, "fPP"), {"submitted": True}, Way.VERIFY),
        (review(2, "fFP"), {"submitted": True}, Way.VERIFY),
        (review(2, "FPP"), {"submitted": True}, Way.REPAIR),
        (review(MAX_ROUNDS, "FPP"), {}, Way.ASK),
        (review(MAX_ROUNDS, "fPP"), {}, Way.VERIFY),
        (review(MAX_ROUNDS, "PPP"), {}, Way.PASS),
        (review(MAX_ROUNDS, "FPP"), {"grants": 1}, Way.REPAIR),
        (review(MAX_ROUNDS + 1, "FPP"), {"grants": 1}, Way.ASK),
        (None, {}, Way.DECOMPOSE),
        (None, {"passed": True}, Way.PASS),
    ],
)
def test_review_decides_the_way_of_the_gate(found: Review | None, more: dict[str, int], way: Way) -> None:
    grants = more.get("grants", 0)
    passed, submitted = bool(more.get("passed", False)), bool(more.get("submitted", True))
    assert decide(found, passed=passed, submitted=submitted, most=MAX_ROUNDS + grants).way is way


@pytest.mark.parametrize("marks", ["F", "T", "PF", "PT", "fP", "PPPPPPPPT"])
@pytest.mark.parametrize("iteration", range(1, MAX_ROUNDS + 4))
@pytest.mark.parametrize("policy", Policy)
def test_an_item_without_a_pass_never_passes_when_it_must(marks: str, iteration: int, policy: Policy) -> None:
    found = review(iteration, marks, severity=Severity.MUST)
    assert decide(found, policy=policy).way is not Way.PASS


def test_a_round_is_closed_once_and_only_when_every_item_has_its_verdict() -> None:
    assert decide(review(1, "FP")).closes
    assert not decide(review(1, "FT")).closes
    assert not decide(review(2, "fP"), submitted=False).closes
    assert not decide(review(MAX_ROUNDS, "FP")).closes


def test_a_round_that_fails_by_the_same_items_says_so() -> None:
    again = decide(review(2, "FPF"), before=frozenset({"qa-001", "qa-003"}))
    assert (again.stalled, again.failed) == (True, ("qa-001", "qa-003"))
    assert not decide(review(2, "FPP"), before=frozenset({"qa-001", "qa-003"})).stalled


@pytest.mark.parametrize(
    ("policy", "severity", "blocks_until"),
    [
        *((Policy.STRICT, severity, 99) for severity in (*Severity, None)),
        (Policy.GRADED, Severity.COULD, 2),
        (Policy.GRADED, Severity.SHOULD, 4),
        (Policy.GRADED, Severity.MUST, 99),
        (Policy.GRADED, None, 99),
    ],
)
def test_policy_waives_lesser_findings_in_later_rounds(
    policy: Policy, severity: Severity | None, blocks_until: int
) -> None:
    for iteration in range(1, 9):
        found = decide(review(iteration, "F", severity=severity), policy=policy, most=MAX_ROUNDS + 9)
        assert (found.way is Way.PASS) is (iteration > blocks_until)


def test_finding_blocks_by_the_rule_of_the_round_that_judged_it() -> None:
    items = blocking(review(3, "fF", severity=Severity.COULD), Policy.GRADED)
    assert [item.id for item in items] == ["qa-001"]


@pytest.mark.parametrize("marks", ["T", "f"])
@pytest.mark.parametrize("severity", [*Severity, None])
@pytest.mark.parametrize("policy", Policy)
def test_no_policy_waives_unjudged_items(policy: Policy, marks: str, severity: Severity | None) -> None:
    for iteration in range(2, 9):
        found = decide(review(iteration, marks, severity=severity), policy=policy, most=MAX_ROUNDS + 9)
        assert found.way is Way.VERIFY
