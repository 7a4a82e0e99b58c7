"""The verdicts of one verifier in one command: all are recorded, or none."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from lib.workflow.ast.results import Refusal
from skills.planner.schema.phase import Phase
from skills.planner.schema.review.document import ItemStatus, Review, ReviewItem
from skills.planner.state.reviews import get_qr_item, review_store
from tests.blocks import only
from tests.skills.planner.runs import run_with
from tests.tables.found import TABLES, Answer, ask
from tests.wording import carries

QR = next(found for found in TABLES if found.table.module == "skills.planner.cli.qr")
PHASE = Phase.PLAN_DESIGN
ITEMS = (
    ReviewItem(id="qa-001", scope="*", check="x"),
    ReviewItem(id="qa-002", scope="*", check="y"),
    ReviewItem(id="qa-007", scope="*", check="z", status=ItemStatus.PASS, judged=1),
)
PASS = {"id": "qa-001", "status": "PASS", "evidence": "pytest -q: 12 passed"}
FAIL = {"id": "qa-002", "status": "FAIL", "finding": 'src/a.py:3 says\nthe "opposite"'}
NEW = {"id": "new-1", "status": "FAIL", "scope": "M-001", "check": "A key is replaced", "finding": "No way is named"}


@pytest.fixture(autouse=True)
def _review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_with(tmp_path, PHASE)
    review_store(".", PHASE).create(Review(phase=PHASE, iteration=1, items=ITEMS))


def record(*verdicts: object, words: Sequence[str] = (), given: str | None = None) -> Answer:
    text = json.dumps(verdicts) if given is None else given
    return ask(QR, ("--state-dir", ".", "--qr-phase", PHASE, "record", *(words or ("-",))), text)


def load() -> Review:
    return review_store(".", PHASE).load()


def test_all_verdicts_are_recorded_and_the_reply_names_what_failed() -> None:
    assert record(PASS, FAIL).printed == "FAIL: qa-002\n"
    passed, failed = (get_qr_item(load(), name) for name in ("qa-001", "qa-002"))
    assert (passed.status, passed.evidence, passed.judged) == (ItemStatus.PASS, PASS["evidence"], 1)
    assert (failed.status, failed.finding, failed.judged) == (ItemStatus.FAIL, FAIL["finding"], 1)


def test_the_reply_is_a_bare_pass_if_nothing_failed() -> None:
    assert record(PASS, {"id": "qa-002", "status": "PASS"}).printed == "PASS\n"


def test_a_batch_is_recorded_whole_or_not_at_all() -> None:
    batch = ("--of", "qa-001,qa-002,qa-007", "-")
    before = load()
    refused = record(PASS, words=batch)
    assert (refused.status, load()) == (1, before)
    assert "qa-002" in only(refused.printed, Refusal).message
    assert record(PASS, FAIL, words=batch).printed == "FAIL: qa-002\n"  # qa-007 has its verdict of this round


def test_the_same_command_again_changes_nothing() -> None:
    first = record(PASS, FAIL, NEW)
    before = load()
    assert record(PASS, FAIL, NEW) == first
    assert load() == before


def test_a_fault_that_no_item_asks_about_becomes_an_item() -> None:
    answer = record(FAIL, NEW, {**NEW, "id": "new-2", "scope": "*", "severity": "MUST"})
    assert answer.printed == "FAIL: qa-002, qa-008, qa-009\n"
    made = load().items[3:]
    assert [(item.id, item.scope, item.finding, item.judged) for item in made] == [
        ("qa-008", "M-001", "No way is named", 1),
        ("qa-009", "*", "No way is named", 1),
    ]


def test_verdicts_come_from_a_file_and_texts_may_hold_line_breaks(tmp_path: Path) -> None:
    (tmp_path / "verdicts.json").write_text('[{"id": "qa-001", "status": "FAIL", "finding": "one\ntwo"}]')
    assert record(words=("verdicts.json",)).printed == "FAIL: qa-001\n"
    assert get_qr_item(load(), "qa-001").finding == "one\ntwo"


REFUSED: dict[str, tuple[list[dict[str, object]], str, str]] = {
    "an item that has passed": ([dict(PASS), {**FAIL, "id": "qa-007"}], "qa-007", ""),
    "an unknown item": ([dict(PASS), {**PASS, "id": "qa-009"}], "qa-009", ""),
    "two of them": (
        [dict(PASS), {**FAIL, "id": "qa-007"}, {**PASS, "id": "qa-009"}],
        "qa-007, qa-009",
        "qa-009:",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_one_verdict_that_cannot_be_recorded_holds_back_all(name: str) -> None:
    verdicts, target, says = REFUSED[name]
    answer = record(*verdicts)
    refusal = only(answer.printed, Refusal)
    assert (answer.status, refusal.target, carries(refusal.message, says)) == (1, target, True)
    assert load().items == ITEMS


WRONG: dict[str, tuple[list[object], str]] = {
    "no verdict": ([], "FILE:"),
    "two verdicts on one item": ([PASS, {**FAIL, "id": "qa-001"}], "FILE: qa-001"),
    "an unknown status": ([{**PASS, "status": "pass"}], 'FILE: [0].status: "pass" … PASS, FAIL'),
    "a FAIL without a finding": ([{"id": "qa-001", "status": "FAIL"}], "FILE: [0]: qa-001: a FAIL"),
    "a PASS with a finding": ([{**FAIL, "status": "PASS"}], "FILE: [0]: qa-002: … FAIL"),
    "a FAIL with evidence": ([{**FAIL, "evidence": "x"}], "FILE: [0]: qa-002: … FAIL"),
    "a blank finding": ([{**FAIL, "finding": " "}], "FILE: [0].finding:"),
    "a new item that passes": ([{**NEW, "status": "PASS", "finding": None}], "FILE: [0]: new-1: … a FAIL"),
    "a new item without a check": ([{**FAIL, "id": "new-1", "scope": "*"}], "FILE: [0]: new-1: … a FAIL"),
    "a scope for an old item": ([{**FAIL, "scope": "*"}], "FILE: [0]: qa-002: scope, … new"),
    "a remark on an item": ([{**FAIL, "status": "REMARK"}], "FILE: [0]: qa-002:"),
    "a remark without words": ([{"id": "remark-1", "status": "REMARK"}], "FILE: [0]: remark-1:"),
    "an unknown key": ([{**PASS, "findng": "x"}], "FILE: [0]: … 'findng' … 'finding'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_malformed_list_records_nothing(name: str) -> None:
    verdicts, says = WRONG[name]
    answer = record(*verdicts)
    assert (answer.status, answer.printed) == (2, "")
    assert carries(answer.said, says)
    assert load().items == ITEMS
