"""A review holds its items, each of which passes once."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from attrs import evolve

from lib.workflow.codec import CodecError, codec
from skills.planner.schema.phase import Phase
from skills.planner.schema.review.document import ItemStatus, Review, ReviewItem
from tests.wording import carries

TODO, PASS, FAIL = ItemStatus
GOOD: Mapping[str, Any] = {"id": "qa-001", "scope": "*", "check": "x", "status": "TODO", "finding": None}
CODEC = codec(Review)


def test_a_file_as_the_specification_shows_it_is_read() -> None:
    text = json.dumps({"phase": "plan-design", "iteration": 1, "items": [GOOD]})
    item = ReviewItem(id="qa-001", scope="*", check="x")
    assert CODEC.loads(text) == Review(phase=Phase.PLAN_DESIGN, iteration=1, items=(item,))
    assert item.status is TODO


WRONG: Mapping[str, tuple[Mapping[str, object], str]] = {
    "an odd severity": (
        {"severity": "must"},
        "items[0].severity: \"must\" … MUST, SHOULD, COULD … 'MUST'",
    ),
    "an unknown severity": (
        {"severity": "BLOCKER"},
        'items[0].severity: "BLOCKER" … MUST, SHOULD, COULD',
    ),
    "no id": ({"id": None}, "items[0].id: null"),
    "a version as text": ({"version": "2"}, 'items[0].version: "2"'),
    "a status in lower case": ({"status": "fail"}, 'items[0].status: "fail" … TODO, PASS, FAIL'),
    "an unknown status": ({"status": "SKIPPED"}, 'items[0].status: "SKIPPED" … TODO, PASS, FAIL'),
    "an unknown key": ({"checks": "x"}, "items[0]: … 'checks' … 'check'"),
    "a FAIL without finding": ({"status": "FAIL"}, "items[0].finding: a FAIL"),
    "a PASS with a finding": ({"status": "PASS", "finding": "x"}, "items[0].finding: a FAIL"),
    "a PASS without a round": ({"status": "PASS"}, "items[0].judged: a PASS"),
    "a TODO with a round": ({"judged": 1}, "items[0].judged: a TODO"),
    "a verdict of a round to come": (
        {"status": "PASS", "judged": 2},
        "'qa-001' … 2",
    ),
    "a PASS with an owner": (
        {"status": "PASS", "judged": 1, "owner": "architect"},
        "items[0].owner: … FAIL",
    ),
    "an id with a blank": ({"id": "qa 1"}, "items[0].id: 'qa 1' … qa-001"),
    "an id with a comma": ({"id": "qa-1,qa-2"}, "items[0].id: 'qa-1,qa-2'"),
    "an id with another digit": ({"id": "qa-²"}, "items[0].id: 'qa-²'"),
    "an id that looks like a flag": ({"id": "--status"}, "items[0].id: '--status'"),
    "an empty id": ({"id": ""}, "items[0].id: ''"),
    "a long id": ({"id": "q" * 65}, "items[0].id: 'qqqqq"),
    "a group that is not an id": ({"group": "a b"}, "items[0].group: 'a b'"),
    "a blank check": ({"check": " \n"}, "items[0].check:"),
    "a scope of two lines": ({"scope": "a\nb"}, "items[0].scope: U+000A … 1"),
}


@pytest.mark.parametrize("name", WRONG)
def test_malformed_item_is_refused_with_its_path(name: str) -> None:
    change, says = WRONG[name]
    with pytest.raises(CodecError) as caught:
        CODEC.loads(json.dumps({"phase": "plan-design", "iteration": 1, "items": [{**GOOD, **change}]}))
    assert carries(str(caught.value), says)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"phase": "plan-design", "items": [GOOD]}, "'iteration'"),
        ({"phase": "plan-design", "iteration": 1, "items": []}, "items:"),
        ({"phase": "plan-design", "iteration": 1, "items": [GOOD, GOOD]}, "'qa-001'"),
        ({"phase": "plan-design", "iteration": 1, "items": {}}, "items:"),
        ({"phase": "plan-desing", "iteration": 1, "items": [GOOD]}, '"plan-desing" … plan-design'),
        ({"phase": "plan-design", "iteration": 0, "items": [GOOD]}, "0 … 1"),
        ({"iteration": 1, "items": [GOOD]}, "'phase'"),
        ([], ""),
    ],
)
def test_malformed_review_is_refused(content: object, says: str) -> None:
    with pytest.raises(CodecError) as caught:
        CODEC.loads(json.dumps(content))
    assert carries(str(caught.value), says)


def test_only_changed_items_get_the_next_version() -> None:
    items = tuple(ReviewItem(id=f"qa-{n}", scope="*", check="x") for n in range(3))
    review = Review(phase=Phase.IMPL_DOCS, iteration=1, items=items)
    after = review.replace(
        ("qa-1", "qa-2"), lambda item: evolve(item, status=PASS, judged=1) if item.id == "qa-1" else item
    )
    assert [(item.version, item.status) for item in after.items] == [(1, TODO), (2, PASS), (1, TODO)]
    assert (after.items[0], after.items[2]) == (items[0], items[2])
    assert after.of(TODO, FAIL) == (items[0], items[2])
