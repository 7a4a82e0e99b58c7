"""Assignment of items to verifiers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.workflow.ast.dispatch import RosterDispatchNode
from lib.workflow.ast.parse import parse
from lib.workflow.render.xml import render
from skills.planner.limits import MAX_GROUP, MAX_PARALLEL
from skills.planner.phases import PLAN_DESIGN
from skills.planner.review.batches import batches, verification
from skills.planner.schema.phase import Phase
from skills.planner.schema.review.document import DIFFERENCE, ItemStatus, Review, ReviewItem

GROUPS = st.lists(st.none() | st.sampled_from(["auth", "store", "umbrella", "api"]), min_size=1, max_size=60)


def items(groups: list[str | None]) -> tuple[ReviewItem, ...]:
    return tuple(
        ReviewItem(id=f"qa-{number:03d}", scope="*", check="c", group=group) for number, group in enumerate(groups, 1)
    )


@given(GROUPS, st.integers(1, 12))
def test_every_item_is_in_one_batch_and_no_batch_is_larger_than_it_must_be(
    groups: list[str | None], at_most: int
) -> None:
    of = items(groups)
    found = batches(of, at_most)
    assert sorted(item.id for batch in found for item in batch) == [item.id for item in of]
    assert len(found) <= at_most
    assert all(found)
    assert max(map(len, found)) <= 2 * max(MAX_GROUP, -(-len(of) // at_most))


def test_the_item_on_changes_needs_no_agent_of_its_own() -> None:
    changes = ReviewItem(id="change-2", scope="*", check="c", category=DIFFERENCE)
    assert [len(batch) for batch in batches((*items([None] * MAX_GROUP), changes), MAX_PARALLEL)] == [MAX_GROUP + 1]
    assert batches((changes,), MAX_PARALLEL) == ((changes,),)


@pytest.mark.parametrize(
    ("groups", "sizes"),
    [
        ([None] * 2 * MAX_GROUP, [MAX_GROUP] * 2),
        (["a"] * (MAX_GROUP + 2), [MAX_GROUP, 2]),
        (["a"] * (MAX_GROUP - 1) + ["b"] * 2 + [None], [MAX_GROUP, 2]),
        (["a", "a", "b", "b", None], [5]),
        (["a"], [1]),
    ],
)
def test_agents_are_as_few_as_can_take_the_items(groups: list[str | None], sizes: list[int]) -> None:
    assert sorted(map(len, batches(items(groups), MAX_PARALLEL)), reverse=True) == sizes


def test_items_of_one_group_stay_together() -> None:
    found = batches(items(["a", "b"] * MAX_GROUP), MAX_PARALLEL)
    assert [{item.group for item in batch} for batch in found] == [{"a"}, {"b"}]


def test_batches_of_one_group_have_its_name_and_a_number_each() -> None:
    review = Review(phase=Phase.PLAN_DESIGN, iteration=1, items=items([*["a"] * 2 * MAX_GROUP, "b", None]))
    node = verification("/tmp", PLAN_DESIGN, review)
    assert [target.id for target in node.targets] == ["a-1", "a-2", "batch-3"]


def test_the_dispatch_has_the_items_that_have_not_passed_and_reads_back() -> None:
    passed, failed, todo = items(["a", "a", None])
    review = Review(
        phase=Phase.PLAN_DESIGN,
        iteration=1,
        items=(
            ReviewItem(id=passed.id, scope="*", check="c", status=ItemStatus.PASS, judged=1),
            ReviewItem(id=failed.id, scope="*", check="c", status=ItemStatus.FAIL, finding="f"),
            todo,
        ),
    )
    node = verification("/tmp/a b'c$HOME", PLAN_DESIGN, review)
    assert [dict(target.values)["items"] for target in node.targets] == ["qa-002,qa-003"]
    (read,) = parse(render(node)).blocks
    assert read == node
    roster = node.roster()
    assert isinstance(roster, RosterDispatchNode)
    assert [agent.invoke.command.words[-2:] for agent in roster.agents] == [("--qr-items", "qa-002,qa-003")]
    assert roster.expand() == node.expand()
