"""The verdicts that a round accepts: one table for every command that records them."""

import pytest
from attrs import evolve

from lib.workflow.errors import RefusedError
from lib.workflow.types import AgentRole
from skills.planner.phases import ROWS, PhaseSpec
from skills.planner.review.verdicts import Judgement, judge
from skills.planner.schema.phase import Phase
from skills.planner.schema.review.correction import Correction
from skills.planner.schema.review.document import ItemStatus, Review, ReviewItem

TODO, PASS, FAIL = ItemStatus
ROUND = 2
OLD = ReviewItem(id="qa-001", scope="*", check="c", status=FAIL, finding="old", judged=1)
NOW = evolve(OLD, finding="now", judged=ROUND, owner=AgentRole.ARCHITECT)


def review(item: ReviewItem, phase: Phase = Phase.PLAN_CODE) -> Review:
    return Review(phase=phase, iteration=ROUND, items=(item, ReviewItem(id="qa-002", scope="*", check="c")))


def passing() -> Judgement:
    return Judgement(item="qa-001", status=PASS)


def failing(finding: str, owner: AgentRole | None = None, correction: str | None = None) -> Judgement:
    return Judgement(item="qa-001", status=FAIL, finding=finding, owner=owner, correction=correction)


ARCHITECT = AgentRole.ARCHITECT
BEFORE = {
    "no verdict": ReviewItem(id="qa-001", scope="*", check="c"),
    "failed in the round before": OLD,
    "failed in this round": NOW,
    "passed in the round before": evolve(OLD, status=PASS, finding=None),
    "passed in this round": evolve(OLD, status=PASS, finding=None, judged=ROUND),
}
TAKEN = {
    ("no verdict", passing()): (PASS, None, None),
    ("no verdict", failing("new")): (FAIL, "new", None),
    ("no verdict", failing("new", ARCHITECT)): (FAIL, "new", ARCHITECT),
    ("failed in the round before", passing()): (PASS, None, None),
    ("failed in the round before", failing("old")): (FAIL, "old", None),
    ("failed in the round before", failing("new")): (FAIL, "new", None),
    ("failed in this round", failing("now", ARCHITECT)): (FAIL, "now", ARCHITECT),
    ("failed in this round", failing("new", None, "misread")): (FAIL, "new", None),
    ("failed in this round", failing("now", None, "the developer's")): (FAIL, "now", None),
    ("passed in the round before", passing()): (PASS, None, None),
    ("passed in this round", passing()): (PASS, None, None),
}
REFUSED = {
    ("failed in this round", passing()): "item-failed",
    ("failed in this round", failing("new", ARCHITECT)): "item-failed",
    ("failed in this round", failing("now")): "item-failed",
    ("passed in the round before", failing("new")): "item-passed",
    ("passed in this round", failing("new")): "item-passed",
    ("passed in this round", failing("new", None, "misread")): "item-passed",
    ("no verdict", failing("new", None, "misread")): "nothing-to-correct",
    ("failed in the round before", failing("new", None, "misread")): "nothing-to-correct",
}


@pytest.mark.parametrize(("before", "verdict"), TAKEN, ids=str)
def test_a_verdict_that_the_round_takes(before: str, verdict: Judgement) -> None:
    after = judge(review(BEFORE[before]), verdict)
    item, other = after.items
    assert (item.status, item.finding, item.owner) == TAKEN[before, verdict]
    assert item.judged == (BEFORE[before].judged if before.startswith("passed") else ROUND)
    assert other == review(BEFORE[before]).items[1]
    assert judge(after, verdict if verdict.correction is None else evolve(verdict, correction=None)) == after


@pytest.mark.parametrize(("before", "verdict"), REFUSED, ids=str)
def test_a_verdict_that_the_round_refuses(before: str, verdict: Judgement) -> None:
    with pytest.raises(RefusedError) as caught:
        judge(review(BEFORE[before]), verdict)
    assert (caught.value.code, caught.value.target) == (REFUSED[before, verdict], "qa-001")


def test_each_finding_that_is_corrected_stays_on_record() -> None:
    once = judge(review(NOW), failing("second", None, "misread"))
    twice = judge(once, failing("third", ARCHITECT, "misread again"))
    assert twice.items[0].corrections == (
        Correction(iteration=ROUND, finding="now", owner=ARCHITECT, reason="misread"),
        Correction(iteration=ROUND, finding="second", reason="misread again"),
    )
    passed = judge(evolve(twice, iteration=ROUND + 1), passing())
    assert passed.items[0].corrections == twice.items[0].corrections


ROLES = [AgentRole.ARCHITECT, AgentRole.DEVELOPER, AgentRole.TECHNICAL_WRITER]
OWNERS = {
    Phase.PLAN_DESIGN: ROLES[:1],
    Phase.PLAN_CODE: ROLES[:2],
    Phase.PLAN_DOCS: ROLES,
    Phase.IMPL_CODE: ROLES[1:2],
    Phase.IMPL_DOCS: ROLES[1:],
}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.phase)
@pytest.mark.parametrize("owner", AgentRole)
def test_a_finding_belongs_to_a_role_of_the_phase_or_of_one_before_it(row: PhaseSpec, owner: AgentRole) -> None:
    if owner in OWNERS[row.phase]:
        assert judge(review(OLD, row.phase), failing("new", owner)).items[0].owner is owner
        return
    with pytest.raises(RefusedError) as caught:
        judge(review(OLD, row.phase), failing("new", owner))
    assert caught.value.code == "invalid-value"


@pytest.mark.parametrize(
    ("scope", "owner"),
    [
        ("DL-001", ARCHITECT),
        ("decision:DL-001, RA-002 and R-001", ARCHITECT),
        ("W-001", ARCHITECT),
        ("C-001", ARCHITECT),
        ("*", None),
        ("file:src/auth.py:L10-L50", None),
        ("M-001", None),
        ("CI-M-001-001", None),
        ("CC-M-001-001 by DL-001", None),
        ("DIAG-001", None),
        ("case:ERROR-001", None),
        ("DL-001-old", None),
    ],
)
def test_a_scope_that_names_only_what_the_architect_writes_says_the_owner(scope: str, owner: AgentRole | None) -> None:
    item = evolve(OLD, scope=scope)
    assert judge(review(item), failing("new")).items[0].owner is owner
    assert judge(review(item), failing("new", AgentRole.DEVELOPER)).items[0].owner is AgentRole.DEVELOPER
    assert judge(review(item, Phase.IMPL_CODE), failing("new")).items[0].owner is None
    assert judge(review(item), passing()).items[0].owner is None


@pytest.mark.parametrize(
    ("status", "finding", "owner", "correction"),
    [
        (TODO, None, None, None),
        (FAIL, None, None, None),
        (FAIL, " ", None, None),
        (FAIL, "x", None, " "),
        (PASS, "x", None, None),
        (PASS, None, ARCHITECT, None),
        (PASS, None, None, "x"),
    ],
)
def test_malformed_verdict_cannot_be_built(
    status: ItemStatus, finding: str | None, owner: AgentRole | None, correction: str | None
) -> None:
    with pytest.raises(ValueError, match=r"."):
        Judgement(item="qa-001", status=status, finding=finding, owner=owner, correction=correction)
