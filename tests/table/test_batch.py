"""A batch is done whole or not at all, each request has one result, and what is said of it is true."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from lib.workflow.ast.batch import BatchResult, BatchStatus, RequestStatus
from lib.workflow.ast.nodes import Code
from lib.workflow.ast.results import EntityResult, Operation, Refusal, VersionMismatchError
from tests.blocks import only
from tests.tables.found import TABLES, ask
from tests.tables.shelf import Book, Shelf, opened

SHELF = next(found for found in TABLES if found.home == "tests.tables.shelf")
ADD = {"command": "set-book", "title": "Eden"}
UPDATE = {"command": "set-book", "id": "B-001", "version": 1, "title": "Fiasco"}
DONE, UNDONE, REFUSED, SKIPPED = RequestStatus
FIRST = Shelf((Book(id="B-001", title="Solaris", authors=("Lem",), year=1961),))


@pytest.fixture(autouse=True)
def _shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    opened(".").create(FIRST)


def send(*requests: object, words: Sequence[str] = ()) -> tuple[int, BatchResult]:
    answer = ask(SHELF, ("--state-dir", ".", *words, "batch"), json.dumps(requests))
    block = only(answer.printed, BatchResult)
    assert len(block.results) == len(requests)
    return answer.status, block


def only_refusal(result: BatchResult, place: int) -> Refusal:
    assert [len(each.content) for number, each in enumerate(result.results) if number != place] == [0] * (
        len(result.results) - 1
    )
    (frame,) = result.results[place].content
    assert isinstance(frame, Refusal)
    return frame


def test_c12_each_request_sees_what_those_before_it_wrote() -> None:
    get = {"command": "get-book", "book": "B-002"}
    status, result = send(UPDATE, ADD, get, {"command": "count"}, {**UPDATE, "version": 2, "title": "Pirx"})
    assert (status, result.status) == (0, BatchStatus.DONE)
    assert [each.status for each in result.results] == [DONE] * 5
    assert result.results[1].content == (EntityResult(id="B-002", version=1, operation=Operation.CREATED),)
    assert '"Eden"' in str(result.results[2].content[0])
    assert result.results[3].content == (Code(text="2"),)
    assert [book.title for book in opened(".").load().books] == ["Pirx", "Eden"]


def test_c07_c08_one_that_is_refused_undoes_those_before_and_skips_those_behind() -> None:
    status, result = send(ADD, UPDATE, {**UPDATE, "title": "Pirx"}, {"command": "count"})
    assert (status, result.status) == (1, BatchStatus.REFUSED)
    assert [each.status for each in result.results] == [UNDONE, UNDONE, REFUSED, SKIPPED]
    assert [each.command for each in result.results] == ["set-book", "set-book", "set-book", "count"]
    (frame,) = result.results[2].content
    assert isinstance(frame, VersionMismatchError)
    assert frame.current_version == 2
    assert opened(".").load() == FIRST


def test_c11_a_batch_that_reads_takes_no_lock_and_writes_nothing(tmp_path: Path) -> None:
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
    "no object": (3, 'this is no object with a "command"'),
    "no command": ({"title": "x"}, 'this is no object with a "command"'),
    "a command that is no text": ({"command": 3}, 'this is no object with a "command"'),
    "G13 an unknown command": ({"command": "opened"}, "no batch takes this command"),
    "a command that acts by itself": ({"command": "begin", "books": []}, "no batch takes this command"),
    "a batch in a batch": ({"command": "batch"}, "no batch takes this command"),
    "G12 a key with hyphens": ({"command": "get-book", "bo-ok": "x"}, "the key 'bo-ok' is not known"),
    "a handler's own name": ({**UPDATE, "id_": "B-001"}, "the key 'id_' is not known"),
    "F24 a missing key": ({"command": "get-book"}, '"book" must be given'),
    "G09 nothing to create of": ({"command": "set-book"}, 'without "id" a new one is created, which needs "title"'),
    "an update without version": ({"command": "set-book", "id": "B-001"}, 'an update needs "version"'),
    "D28 a text for a list": ({**UPDATE, "authors": "Lem"}, '"authors": a list is needed; each item is a line of text'),
    "D29 false for a list": ({**UPDATE, "authors": False}, '"authors": a list is needed'),
    "a number in a list": ({**UPDATE, "authors": ["a", 1]}, '"authors": 1 is not a text'),
    "a list for a text": ({**UPDATE, "title": ["a"]}, '"title": this is not a line of text'),
    "null where nothing can be taken away": ({**UPDATE, "title": None}, '"title": null is not a line of text'),
    "D07 a version as text": ({**UPDATE, "version": "1"}, "\"version\": '1' is not a whole number, 1 to any"),
    "D31 a version as float": ({**UPDATE, "version": 1.0}, '"version": this is not a whole number'),
    "D31 a version as bool": ({**UPDATE, "version": True}, '"version": True is not a whole number'),
    "a blank text": ({**UPDATE, "title": " "}, '"title": it must not be blank'),
    "D32 a blank text that can be taken away": ({**UPDATE, "note": ""}, '"note": it must not be blank'),
    "a wrong choice": (
        {**UPDATE, "kind": "Novel"},
        "\"kind\": 'Novel' is not one of novel, atlas; did you mean 'novel'?",
    ),
    "one for yes": ({**UPDATE, "lent": 1}, '"lent": 1 is not yes or no'),
    "a control character": ({**UPDATE, "note": "\0"}, '"note": the text: U+0000'),
    "a lone surrogate": ({**UPDATE, "title": "\ud800"}, '"title": the text: U+D800'),
    "braces": ({**UPDATE, "kind": "{title.__class__}"}, "'{title.__class__}' is not one of novel, atlas"),
    "what a rule refuses": ({**UPDATE, "id": "B 1"}, "\"id\": 'B 1' holds a blank"),
    "a request wrong in itself": ({"command": "set-book", "title": "?"}, '"title" must be known, not {?}'),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_request_that_is_wrong_in_itself_is_named_with_what_is_legal(name: str) -> None:
    request, says = WRONG[name]
    status, result = send(ADD, request)
    assert (status, result.status) == (1, BatchStatus.REFUSED)
    assert [each.status for each in result.results][1] is REFUSED
    frame = only_refusal(result, 1)
    assert frame.code == "invalid-request"
    assert says in str(frame.message)
    assert "--" not in f"{frame.message} {frame.fix}"
    assert opened(".").load() == FIRST


def test_g11_what_is_wrong_in_itself_comes_before_what_the_state_says() -> None:
    unknown = {**UPDATE, "id": "B-999"}
    _, result = send(unknown, {**unknown, "year": "x"})
    assert [each.status for each in result.results] == [SKIPPED, REFUSED]


def test_g07_a_role_uses_its_own_commands_only_here_too() -> None:
    status, result = send({"command": "count"}, ADD, words=("--role", "developer"))
    assert (status, [each.status for each in result.results]) == (1, [SKIPPED, REFUSED])
    assert only_refusal(result, 1).code == "wrong-role"
    assert send({"command": "count"}, words=("--role", "developer"))[0] == 0


@pytest.mark.parametrize("text", ["{}", "[]", "3", '"x"', "null"])
def test_what_is_no_list_of_requests_is_refused_as_a_whole(text: str) -> None:
    answer = ask(SHELF, ("--state-dir", ".", "batch"), text)
    assert (answer.status, only(answer.printed, Refusal).code) == (1, "invalid-batch")


def test_c13_a_state_that_cannot_be_used_is_no_request_s_fault(tmp_path: Path) -> None:
    (tmp_path / "shelf.json").write_text("{")
    answer = ask(SHELF, ("--state-dir", ".", "batch"), json.dumps([ADD]))
    assert (answer.status, only(answer.printed, Refusal).code) == (1, "corrupt-state")


def test_what_the_check_of_the_whole_refuses_is_no_single_request_s_fault() -> None:
    answer = ask(SHELF, ("--state-dir", ".", "batch"), json.dumps([ADD, ADD]))
    assert (answer.status, only(answer.printed, Refusal).code) == (1, "invalid-change")
    assert opened(".").load() == FIRST


def test_the_requests_come_from_a_file_too(tmp_path: Path) -> None:
    (tmp_path / "requests.json").write_text(json.dumps([ADD]))
    assert ask(SHELF, ("--state-dir", ".", "batch", "requests.json")).status == 0
    missing = ask(SHELF, ("--state-dir", ".", "batch", "none.json"))
    assert (missing.status, missing.said.splitlines()[0]) == (2, "none.json: No such file or directory")
