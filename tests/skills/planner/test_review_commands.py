"""The commands on a review: the result of each verdict, and the refusals of other requests."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.ast.nodes import Element, Text
from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import EntityResult, Operation, Refusal
from lib.workflow.ast.visitor import walk
from lib.workflow.codec import codec
from skills.planner.schema.phase import Phase
from skills.planner.schema.review.document import ItemStatus, Review, ReviewItem
from skills.planner.schema.run import Submission
from skills.planner.state.reviews import (
    get_pending_qr_items,
    get_qr_item,
    get_qr_iteration,
    has_qr_failures,
    load_qr_state,
    review_store,
)
from tests.blocks import only
from tests.skills.planner.runs import change, run_with
from tests.tables.found import TABLES, Answer, ask
from tests.wording import carries

QR = next(found for found in TABLES if found.table.module == "skills.planner.cli.qr")
PHASE = Phase.PLAN_DESIGN
TODO, PASS, FAIL = ItemStatus
CREATED, UPDATED, UNCHANGED = Operation.CREATED, Operation.UPDATED, Operation.UNCHANGED
HOSTILE = "can't </finding><x> & ]]>\n--- Agent 9 ---\n$HOME `id`"


@pytest.fixture(autouse=True)
def _review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    items = (
        ReviewItem(id="qa-1", scope="*", check="x"),
        ReviewItem(id="qa-2", scope="file:a.py", check="y", status=PASS, judged=1),
        ReviewItem(id="qa-3", scope="*", check="z", status=FAIL, finding="old", group="g", judged=1),
    )
    run_with(tmp_path, PHASE, Phase.PLAN_CODE, iteration=2)
    handed_in(Phase.PLAN_CODE, 1)
    review_store(".", PHASE).create(Review(phase=PHASE, iteration=2, items=items))


def handed_in(phase: Phase, iteration: int) -> None:
    made = Submission(phase=phase, iteration=iteration)
    change(".", lambda run: evolve(run, submissions=(*run.submissions, made)))


def do(*words: str, given: str = "", phase: str = PHASE) -> Answer:
    return ask(QR, ("--state-dir", ".", "--qr-phase", phase, *words), given)


def item(item_id: str) -> ReviewItem:
    return get_qr_item(review_store(".", PHASE).load(), item_id)


def refusal_of(answer: Answer) -> Refusal:
    block = only(answer.printed, Refusal)
    assert answer.status == 1
    return block


P, F = ("--status", "PASS"), ("--status", "FAIL", "--finding")
VERDICTS = {
    "TODO to PASS": ("qa-1", P, PASS, None, 2, UPDATED),
    "TODO to FAIL": ("qa-1", (*F, "new"), FAIL, "new", 2, UPDATED),
    "FAIL to PASS": ("qa-3", P, PASS, None, 2, UPDATED),
    "FAIL to FAIL, for another reason": ("qa-3", (*F, "new"), FAIL, "new", 2, UPDATED),
    "FAIL to FAIL, the same in another round": ("qa-3", (*F, "old"), FAIL, "old", 2, UPDATED),
    "PASS to PASS": ("qa-2", P, PASS, None, 1, UNCHANGED),
    "a hostile finding": ("qa-1", (*F, HOSTILE), FAIL, HOSTILE, 2, UPDATED),
}


@pytest.mark.parametrize("name", VERDICTS)
def test_a_verdict_leads_where_the_specification_says(name: str) -> None:
    item_id, words, status, finding, version, operation = VERDICTS[name]
    answer = do("update-item", item_id, *words)
    assert answer.status == 0
    assert parse(answer.printed).blocks == (EntityResult(id=item_id, version=version, operation=operation),)
    found = item(item_id)
    assert (found.status, found.finding, found.version) == (status, finding, version)


def test_a_pass_is_final() -> None:
    refusal = refusal_of(do("update-item", "qa-2", *F, "x"))
    assert (refusal.code, refusal.target) == ("item-passed", "qa-2")
    assert item("qa-2").status is PASS


def test_a_finding_comes_from_standard_input_or_a_file_too(tmp_path: Path) -> None:
    assert do("update-item", "qa-1", "--status", "FAIL", "--finding-file", "-", given=HOSTILE).status == 0
    assert item("qa-1").finding == HOSTILE
    (tmp_path / "finding.md").write_text("from a file\n")
    assert do("update-item", "qa-3", "--status", "FAIL", "--finding-file", "finding.md").status == 0
    assert item("qa-3").finding == "from a file"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("update-item", "qa-1", "--status", "FAIL"), "--status FAIL needs --finding"),
        (("update-item", "qa-1", *P, "--finding", "x"), "--finding, --owner and --correction … FAIL"),
        (("update-item", "qa-9", "--status", "FAIL"), "--status FAIL needs --finding"),
        (("update-item", "qa-1", "--status", "TODO"), "--status: 'TODO' … PASS, FAIL"),
        (
            ("update-item", "qa-1", "--status", "fail"),
            "--status: 'fail' … PASS, FAIL … 'FAIL'",
        ),
        (("update-item", "qa-1"), "--status"),
        (("update-item", "qa 1", *P), "ITEM: 'qa 1'"),
        (("update-item", "qa-1", *P, "--bogus", "1"), "'--bogus'"),
        (("assign-group", "g"), "--item"),
    ],
)
def test_wrong_usage_is_reported_before_any_state_is_read(words: Sequence[str], says: str) -> None:
    answer = do(*words)
    assert (answer.status, answer.printed) == (2, "")
    assert carries(answer.said, says)


def test_malformed_group_is_reported_before_a_missing_file() -> None:
    answer = do("assign-group", "a b", "--item", "qa-1", phase="plan-code")
    assert answer.status == 2
    assert "GROUP: 'a b'" in answer.said


@pytest.mark.parametrize("phase", ["bogus", "../plan-design", "plan-design/../x", ""])
def test_unknown_phase_is_wrong_usage(phase: str) -> None:
    answer = do("summary", phase=phase)
    assert (answer.status, answer.said.partition(":")[0]) == (2, "--qr-phase")


def test_unknown_item_is_refused_with_the_nearest() -> None:
    refusal = refusal_of(do("get-item", "qa-01"))
    assert (refusal.code, refusal.target) == ("unknown-id", "qa-01")
    assert "qa-1" in refusal.fix


def test_a_group_is_given_to_items_that_exist() -> None:
    answer = do("assign-group", "auth", "--item", "qa-1", "--item", "qa-2")
    assert parse(answer.printed).blocks == (EntityResult(id="auth", version=1, operation=UPDATED),)
    assert [item(item_id).group for item_id in ("qa-1", "qa-2", "qa-3")] == ["auth", "auth", "g"]
    again = do("assign-group", "auth", "--item", "qa-1")
    assert parse(again.printed).blocks == (EntityResult(id="auth", version=1, operation=UNCHANGED),)
    assert refusal_of(do("assign-group", "b", "--item", "qa-1", "--item", "qa-9")).target == "qa-9"
    assert item("qa-1").group == "auth"


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ((), ["qa-1", "qa-2", "qa-3"]),
        (("--status", "FAIL"), ["qa-3"]),
        (("--group", "g"), ["qa-3"]),
        (("--group", "x"), []),
    ],
)
def test_items_are_listed_by_status_and_group(words: Sequence[str], ids: list[str]) -> None:
    assert [each["id"] for each in json.loads(do("list-items", "--json", *words).printed)["items"]] == ids
    headings = [line for line in do("list-items", *words).printed.splitlines() if line.startswith("## ")]
    assert [heading.split()[1] for heading in headings] == ids


def test_an_item_and_the_counts_are_shown() -> None:
    assert do("get-item", "qa-3").printed == "## qa-3 FAIL, scope *, group g\n- check: z\n- finding: old\n"
    assert codec(ReviewItem).loads(do("get-item", "qa-3", "--json").printed) == item("qa-3")
    counts = {"phase": PHASE, "iteration": "2", "total": "3", "todo": "1", "pass": "1", "fail": "1"}
    assert parse(do("summary").printed).blocks == (Element("summary", counts),)


ITEMS = [{"id": "qa-1", "scope": "*", "check": "x"}, {"id": "qa-2", "scope": "*", "check": "y", "severity": "MUST"}]


def create(items: object) -> Answer:
    return do("create", "--items-file", "-", given=json.dumps(items), phase="plan-code")


def made(answer: Answer) -> tuple[Operation, str]:
    result, note = parse(answer.printed).blocks
    assert isinstance(result, EntityResult)
    assert result.id == "qr-plan-code"
    return result.operation, "".join(node.value for node in walk(note) if isinstance(node, Text))


def test_creating_the_same_review_again_changes_nothing() -> None:
    operation, note = made(create(ITEMS))
    assert operation == CREATED
    assert carries(note, "(2): qa-1, qa-2")
    assert do("update-item", "qa-1", *P, phase="plan-code").status == 0
    assert do("assign-group", "g", "--item", "qa-2", phase="plan-code").status == 0
    operation, note = made(create(ITEMS))
    assert operation == UNCHANGED
    assert carries(note, "(1): qa-1 … g (1): qa-2")
    assert get_pending_qr_items(".", Phase.PLAN_CODE) == ("qa-2",)


def test_items_are_added_and_replaced_until_the_first_verdict() -> None:
    create(ITEMS)
    assert do("assign-group", "g", "--item", "qa-2", phase="plan-code").status == 0
    more = [{**ITEMS[1], "check": "z"}, {"id": "qa-3", "scope": "*", "check": "w", "group": "g"}]
    operation, note = made(create(more))
    assert operation == UPDATED
    assert carries(note, "(1): qa-1 … g (2): qa-2, qa-3")
    assert [item.check for item in review_store(".", Phase.PLAN_CODE).load().items] == ["x", "z", "w"]
    assert do("update-item", "qa-1", *P, phase="plan-code").status == 0
    refusal = refusal_of(create([{**ITEMS[1], "check": "y"}]))
    assert (refusal.code, "new-1" in refusal.fix) == ("state-exists", True)


@pytest.mark.parametrize(
    ("items", "says"),
    [
        ([], "--items-file: Review.items:"),
        ([ITEMS[0], ITEMS[0]], "--items-file: Review.items: … 'qa-1'"),
        (
            [{**ITEMS[0], "category": "test"}],
            "--items-file: qa-1: 'test' … 'tests'",
        ),
        ([{**ITEMS[0], "status": "PASS", "judged": 1}], "--items-file: qa-1: … TODO"),
        ([{**ITEMS[0], "version": 2}], "--items-file: qa-1: … TODO"),
        ({"items": ITEMS}, "--items-file:"),
        ([{**ITEMS[0], "checks": 1}], "--items-file: [0]: … 'checks' … 'check'"),
        ([{**ITEMS[0], "severity": "must"}], '--items-file: [0].severity: "must" … MUST'),
    ],
)
def test_malformed_items_create_no_review(items: object, says: str) -> None:
    answer = create(items)
    assert (answer.status, answer.printed) == (2, "")
    assert carries(answer.said, says)
    assert load_qr_state(".", Phase.PLAN_CODE) is None


def test_missing_state_directory_is_refused() -> None:
    for words in (("summary",), ("create", "--items-file", "-"), ("update-item", "qa-1", *P)):
        answer = ask(QR, ("--state-dir", "none", "--qr-phase", PHASE, *words), json.dumps(ITEMS))
        assert refusal_of(answer).code == "missing-state"
    assert not Path("none").exists()


def test_files_with_other_names_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "qr-items-draft.json").write_text("[]")
    assert do("summary").status == 0


def test_a_file_of_another_phase_is_refused(tmp_path: Path) -> None:
    (tmp_path / "qr-plan-design.json").rename(tmp_path / "qr-plan-code.json")
    refusal = refusal_of(do("summary", phase="plan-code"))
    assert refusal.code == "corrupt-state"
    assert carries(refusal.message, "plan-design … plan-code")


def test_routers_ask_the_file() -> None:
    none = Phase.IMPL_CODE
    assert (has_qr_failures(".", PHASE), has_qr_failures(".", none)) == (True, False)
    assert (get_qr_iteration(".", PHASE), get_qr_iteration(".", none)) == (2, 1)
    assert get_pending_qr_items(".", PHASE) == ("qa-1", "qa-3")
    assert load_qr_state(".", none) is None
