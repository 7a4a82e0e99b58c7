"""A batch is done whole or not at all, each request has one result, and all messages are true."""

import errno
import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from lib.workflow.ast.batch import BatchResult, BatchStatus, RequestResult, RequestStatus
from lib.workflow.ast.nodes import Code
from lib.workflow.ast.results import EntityResult, Operation, Refusal, VersionMismatchError
from tests.blocks import only, statuses
from tests.tables.found import TABLES, ask
from tests.tables.shelf import Book, Shelf, opened
from tests.wording import carries

SHELF = next(found for found in TABLES if found.home == "tests.tables.shelf")
ADD = {"command": "set-book", "title": "Eden"}
UPDATE = {"command": "set-book", "id": "B-001", "version": 1, "title": "Fiasco"}
UNDONE, REFUSED, SKIPPED = RequestStatus
FIRST = Shelf((Book(id="B-001", title="Solaris", authors=("Lem",), year=1961),))


@pytest.fixture(autouse=True)
def _shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    opened(".").create(FIRST)


def send(*requests: object, words: Sequence[str] = ()) -> tuple[int, BatchResult]:
    answer = ask(SHELF, ("--state-dir", ".", *words, "batch"), json.dumps(requests))
    block = only(answer.printed, BatchResult)
    if block.status is BatchStatus.REFUSED:
        assert len(statuses(block)) == len(requests)
    return answer.status, block


def refused(result: BatchResult) -> dict[int, RequestResult]:
    """Return the requests that were refused, by number."""
    found = [each for each in result.content if isinstance(each, RequestResult) and each.status is REFUSED]
    return {int(each.requests): each for each in found}


def only_refusal(result: BatchResult, number: int) -> Refusal:
    assert refused(result).keys() == {number}
    (frame,) = refused(result)[number].content
    assert isinstance(frame, Refusal)
    return frame


def test_each_request_sees_what_those_before_it_wrote() -> None:
    get = {"command": "get-book", "book": "B-002"}
    status, result = send(UPDATE, ADD, get, {"command": "count"}, {**UPDATE, "version": 2, "title": "Pirx"})
    assert (status, result.status) == (0, BatchStatus.DONE)
    first, second, shown, counted, last = result.content
    assert (first, last) == (changed("B-001", 2), changed("B-001", 3))
    assert second == EntityResult(id="B-002", version=1, operation=Operation.CREATED)
    assert '"Eden"' in str(shown)
    assert counted == Code(text="2")
    assert [book.title for book in opened(".").load().books] == ["Pirx", "Eden"]


def changed(book: str, version: int) -> EntityResult:
    return EntityResult(id=book, version=version, operation=Operation.UPDATED)


def test_one_that_is_refused_undoes_those_before_and_skips_those_behind() -> None:
    status, result = send(ADD, UPDATE, {**UPDATE, "title": "Pirx"}, {"command": "count"})
    assert (status, result.status) == (1, BatchStatus.REFUSED)
    assert statuses(result) == [UNDONE, UNDONE, REFUSED, SKIPPED]
    assert refused(result)[3].command == "set-book"
    (frame,) = refused(result)[3].content
    assert isinstance(frame, VersionMismatchError)
    assert frame.current_version == 2
    assert opened(".").load() == FIRST


def test_batch_that_only_reads_takes_no_lock_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / ".shelf.json.lock").unlink()
    before = (tmp_path / "shelf.json").stat().st_ino
    assert send({"command": "count"}, {"command": "get-book", "book": "B-001"})[0] == 0
    assert {path.name for path in tmp_path.iterdir()} == {"shelf.json"}
    assert (tmp_path / "shelf.json").stat().st_ino == before


VALUES: list[tuple[dict[str, object], str, object]] = [
    ({"authors": ["returns X, and Y", "B"]}, "authors", ("returns X, and Y", "B")),
    ({"authors": []}, "authors", ()),
    ({"year": None}, "year", None),
    ({"year": 0}, "year", 0),
    ({"lent": True}, "lent", True),
    ({"note": "a\r\nb"}, "note", "a\r\nb"),
    ({"kind": "atlas"}, "kind", "atlas"),
    ({}, "authors", ("Lem",)),
]


@pytest.mark.parametrize(("change", "name", "value"), VALUES)
def test_a_value_is_set_or_taken_away(change: dict[str, object], name: str, value: object) -> None:
    assert send({**UPDATE, **change})[0] == 0
    assert getattr(opened(".").load().books[0], name) == value


WRONG: dict[str, tuple[object, str]] = {
    "no object": (3, '"command"'),
    "a command that is not a text": ({"command": 3}, '"command"'),
    "an unknown command": ({"command": "opened"}, "opened … build, count"),
    "a command that acts by itself": ({"command": "fill", "books": []}, "fill … build, count"),
    "a batch in a batch": ({"command": "batch"}, "batch … build, count"),
    "a key with hyphens": ({"command": "get-book", "bo-ok": "x"}, "'bo-ok'"),
    "a handler's own name": ({**UPDATE, "id_": "B-001"}, "'id_'"),
    "a missing key": ({"command": "get-book"}, '"book"'),
    "nothing to create of": ({"command": "set-book"}, '"title" … "id" … "version"'),
    "a text for a list": ({**UPDATE, "authors": "Lem"}, '"authors":'),
    "false for a list": ({**UPDATE, "authors": False}, '"authors":'),
    "a number in a list": ({**UPDATE, "authors": ["a", 1]}, '"authors": 1 … text'),
    "a list for a text": ({**UPDATE, "title": ["a"]}, '"title": … text'),
    "null where nothing can be taken away": ({**UPDATE, "title": None}, '"title": null … text'),
    "a version as text": ({**UPDATE, "version": "1"}, '"version": "1"'),
    "a version as float": ({**UPDATE, "version": 1.0}, '"version": 1.0'),
    "a version as bool": ({**UPDATE, "version": True}, '"version": true'),
    "a blank text": ({**UPDATE, "title": " "}, '"title": … blank'),
    "a blank text that can be taken away": ({**UPDATE, "note": ""}, '"note": … blank'),
    "a wrong choice": (
        {**UPDATE, "kind": "Novel"},
        '"kind": "Novel" … novel, atlas … \'novel\'',
    ),
    "one for true": ({**UPDATE, "lent": 1}, '"lent": 1'),
    "yes for true": ({**UPDATE, "lent": "yes"}, '"lent": "yes"'),
    "a year out of range": ({**UPDATE, "year": 3001}, '"year": 3001 … 0 to 3000'),
    "a control character": ({**UPDATE, "note": "\0"}, '"note": … U+0000'),
    "a lone surrogate": ({**UPDATE, "title": "\ud800"}, '"title": … U+D800'),
    "braces": ({**UPDATE, "kind": "{title.__class__}"}, '"{title.__class__}" … novel, atlas'),
    "what a rule refuses": ({**UPDATE, "id": "B 1"}, "\"id\": 'B 1' holds a blank"),
    "a request wrong in itself": ({"command": "set-book", "title": "?"}, '"title" must be known, not {?}'),
}


@pytest.mark.parametrize("name", WRONG)
def test_malformed_request_is_reported_with_what_is_legal(name: str) -> None:
    request, says = WRONG[name]
    status, result = send(ADD, request)
    assert (status, result.status) == (1, BatchStatus.REFUSED)
    frame = only_refusal(result, 2)
    assert frame.code == "invalid-request"
    assert carries(f"{frame.target} {frame.message} {frame.fix}", says)
    assert "--" not in f"{frame.message} {frame.fix}"
    assert opened(".").load() == FIRST


def test_malformed_request_is_reported_before_conflicts_with_the_state() -> None:
    unknown = {**UPDATE, "id": "B-999"}
    _, result = send(unknown, {**unknown, "year": "x"})
    assert statuses(result) == [SKIPPED, REFUSED]


def test_role_uses_only_its_own_commands_in_a_batch() -> None:
    status, result = send({"command": "count"}, ADD, words=("--role", "developer"))
    assert (status, statuses(result)) == (1, [SKIPPED, REFUSED])
    assert only_refusal(result, 2).code == "wrong-role"
    assert send({"command": "count"}, words=("--role", "developer"))[0] == 0


@pytest.mark.parametrize("text", ["{}", "[]", "3", '"x"', "null"])
def test_input_that_is_not_a_list_of_requests_is_refused_as_a_whole(text: str) -> None:
    answer = ask(SHELF, ("--state-dir", ".", "batch"), text)
    assert (answer.status, only(answer.printed, Refusal).code) == (1, "invalid-batch")


def test_unusable_state_is_reported_as_a_fault_of_no_request(tmp_path: Path) -> None:
    (tmp_path / "shelf.json").write_text("{")
    answer = ask(SHELF, ("--state-dir", ".", "batch"), json.dumps([ADD]))
    assert (answer.status, only(answer.printed, Refusal).code) == (1, "corrupt-state")


def test_refusal_of_the_overall_check_is_blamed_on_no_single_request() -> None:
    answer = ask(SHELF, ("--state-dir", ".", "batch"), json.dumps([ADD, ADD]))
    assert (answer.status, only(answer.printed, Refusal).code) == (1, "invalid-change")
    assert opened(".").load() == FIRST


def test_the_requests_come_from_a_file_too(tmp_path: Path) -> None:
    (tmp_path / "requests.json").write_text(json.dumps([ADD]))
    assert ask(SHELF, ("--state-dir", ".", "batch", "requests.json")).status == 0
    missing = ask(SHELF, ("--state-dir", ".", "batch", "none.json"))
    assert missing.status == 2
    assert missing.said.startswith(f"none.json: {os.strerror(errno.ENOENT)}\n")


def titles() -> list[str]:
    return [book.title for book in opened(".").load().books]


def test_local_name_resolves_to_the_id_that_its_request_creates() -> None:
    status, result = send(
        {**ADD, "as": "eden"},
        {"command": "set-book", "title": "costs $eden", "after": "$eden", "as": "pirx-2"},
        {"command": "set-book", "id": "$eden", "version": 1, "after": "$pirx-2"},
    )
    assert status == 0
    assert [each.name for each in result.content if isinstance(each, EntityResult)] == ["eden", "pirx-2", None]
    first, second, third = opened(".").load().books
    assert (first.after, second.after, third.after) == (None, "B-003", "B-002")
    assert third.title == "costs $eden", "a dollar in a text stays"


NAMED: dict[str, tuple[list[dict[str, object]], int, str]] = {
    "an unknown name": (
        [{**ADD, "as": "eden"}, {"command": "set-book", "title": "x", "after": "$edn"}],
        2,
        "'edn' … $eden",
    ),
    "a name that comes later": (
        [{"command": "set-book", "title": "x", "after": "$eden"}, {**ADD, "as": "eden"}],
        1,
        "'eden' … \"as\"",
    ),
    "its own name": ([{**ADD, "as": "eden", "after": "$eden"}], 1, "'eden' … \"as\""),
    "a name twice": ([{**ADD, "as": "a"}, {**ADD, "title": "x", "as": "a"}], 2, "\"as\": 'a'"),
    "a malformed name": ([{**ADD, "as": "a b"}], 1, "\"as\": 'a b'"),
    "an empty name": ([{**ADD, "as": ""}], 1, "\"as\": ''"),
    "a name that is not a text": ([{**ADD, "as": 7}], 1, '"as": 7'),
    "a name of what is only read": ([{"command": "count", "as": "a"}], 1, '"as":'),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_wrong_local_name_is_refused_before_anything_is_done(name: str) -> None:
    requests, number, says = NAMED[name]
    _, result = send(*requests)
    assert carries(only_refusal(result, number).message, says)
    assert opened(".").load() == FIRST


EDITS: list[tuple[dict[str, object], tuple[str, ...]]] = [
    ({"add_authors": ["Eco"]}, ("Lem", "Eco")),
    ({"add_authors": ["Lem", "Eco", "Eco"]}, ("Lem", "Eco")),
    ({"remove_authors": ["Lem"]}, ()),
    ({"remove_authors": ["e"], "add_authors": ["Eco"]}, ("Eco",)),
]


@pytest.mark.parametrize(("change", "authors"), EDITS)
def test_an_update_adds_items_to_a_list_and_removes_them(change: dict[str, object], authors: tuple[str, ...]) -> None:
    assert send({"command": "set-book", "id": "B-001", "version": 1, **change})[0] == 0
    assert opened(".").load().books[0].authors == authors


NOTED: dict[str, object] = {"command": "set-book", "id": "B-001", "version": 1, "note": "aXbXc"}


def test_an_update_replaces_the_one_place_that_holds_a_text() -> None:
    assert send({**NOTED, "replace": [["aX", "1\n"], ["olar", "OLAR"]]})[0] == 0
    assert (opened(".").load().books[0].note, titles()) == ("1\nbXc", ["SOLARis"])


MISFITS: dict[str, tuple[dict[str, object], str]] = {
    "a text that occurs twice": ({**NOTED, "replace": [["X", "Y"]]}, "'X' occurs 2 times"),
    "a text in two fields": ({**NOTED, "title": "aX", "replace": [["aX", "Y"]]}, "'aX' occurs 2 times"),
    "a text that does not occur": ({**NOTED, "replace": [["Z", "Y"]]}, "'Z'"),
    "an item that is not there": ({**UPDATE, "remove_authors": ["Eco"]}, "'Eco' … 0"),
}


@pytest.mark.parametrize("name", MISFITS)
def test_an_edit_that_does_not_fit_is_refused_with_the_count(name: str) -> None:
    change, says = MISFITS[name]
    frame = only_refusal(send(change)[1], 1)
    assert (frame.code, carries(frame.message, says)) == ("no-match", True)
    assert opened(".").load() == FIRST


ILL_FORMED: dict[str, tuple[dict[str, object], str]] = {
    "a malformed pair": ({**UPDATE, "replace": ["a", "b"]}, '[["old text", "new text"]]'),
    "no pair": ({**UPDATE, "replace": []}, '[["old text", "new text"]]'),
    "nothing to replace": ({**UPDATE, "replace": [["", "x"]]}, '"replace":'),
    "an edit of a new entity": ({**ADD, "add_authors": ["x"]}, '"authors": … "id"'),
    "a replacement in a new entity": ({**ADD, "replace": [["a", "b"]]}, '"replace": … "id"'),
    "a list given whole, and an edit": ({**UPDATE, "authors": ["a"], "add_authors": ["b"]}, '"authors":'),
    "an edit of a field that is not a list": ({**UPDATE, "add_title": ["x"]}, "'add_title'"),
    "an edit that is not a list": ({**UPDATE, "add_authors": "x"}, '"authors":'),
}


@pytest.mark.parametrize("name", ILL_FORMED)
def test_malformed_edit_is_refused(name: str) -> None:
    change, says = ILL_FORMED[name]
    frame = only_refusal(send(change)[1], 1)
    assert (frame.code, carries(frame.message, says)) == ("invalid-request", True), frame.message
    assert opened(".").load() == FIRST


@pytest.mark.parametrize("version", [{}, {"version": None}], ids=["left out", "null"])
def test_an_update_without_a_version_is_refused_with_the_entity(version: dict[str, object]) -> None:
    _, result = send({"command": "set-book", "id": "B-001", "title": "x", **version})
    (frame,) = refused(result)[1].content
    assert isinstance(frame, VersionMismatchError)
    assert (frame.provided_version, frame.current_version) == (None, 1)
    assert '"Solaris"' in frame.current_entity


def test_null_creates_as_if_id_and_version_were_left_out() -> None:
    assert send({**ADD, "id": None, "version": None})[0] == 0
    assert titles() == ["Solaris", "Eden"]


def batch(folder: str, *requests: object) -> tuple[int, BatchResult]:
    answer = ask(SHELF, ("--state-dir", folder, "batch"), json.dumps(requests))
    return answer.status, only(answer.printed, BatchResult)


def test_batch_can_start_with_the_command_that_creates_the_state(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    status, result = batch("new", {"command": "build"}, ADD, {"command": "where"})
    assert status == 0
    made = EntityResult(id="shelf", version=1, operation=Operation.CREATED)
    book = EntityResult(id="B-001", version=1, operation=Operation.CREATED)
    assert result.content == (made, book, Code(text="1 in shelf.json"))
    assert [book.title for book in opened("new").load().books] == ["Eden"]


BEGUN_WRONG: dict[str, tuple[str, list[object], list[RequestStatus], str]] = {
    "a later request is refused": ("new", [{"command": "build"}, UPDATE], [UNDONE, REFUSED], "unknown-id"),
    "it cannot begin": ("full", [{"command": "build"}, ADD], [REFUSED, SKIPPED], "full"),
    "it is not the first": ("new", [ADD, {"command": "build"}], [SKIPPED, REFUSED], "invalid-request"),
}


@pytest.mark.parametrize("name", BEGUN_WRONG)
def test_batch_that_fails_to_start_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    folder, requests, expected, code = BEGUN_WRONG[name]
    (tmp_path / folder).mkdir()
    status, result = batch(folder, *requests)
    assert (status, statuses(result)) == (1, expected)
    (each,) = refused(result).values()
    (frame,) = each.content
    assert isinstance(frame, Refusal)
    assert frame.code == code
    assert list((tmp_path / folder).iterdir()) == []


def test_batch_cannot_create_an_existing_state(tmp_path: Path) -> None:
    status, result = batch(".", {"command": "build"}, ADD)
    assert (status, titles()) == (1, ["Solaris"]), "the shelf that is there is another one"
    assert statuses(result) == [REFUSED, SKIPPED]


def test_texts_may_hold_line_breaks_as_they_are() -> None:
    requests = '[{"command": "set-book", "id": "B-001", "version": 1, "note": "one\n\ttwo"}]'
    assert ask(SHELF, ("--state-dir", ".", "batch"), requests).status == 0
    assert opened(".").load().books[0].note == "one\n\ttwo"


def test_json_that_cannot_be_read_is_shown_with_its_place() -> None:
    answer = ask(SHELF, ("--state-dir", ".", "batch"), '[{"command": "set-book",\n "title": "the "new" one"}]')
    assert answer.status == 2
    assert "2, column 17" in answer.said
    assert '"title": "the "n\'' in answer.said
    assert '\\"' in answer.said
