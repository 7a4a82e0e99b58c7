"""A table's command line: accepted words, and messages for all others."""

import errno
import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import EntityResult, Operation, Refusal, VersionMismatchError
from tests.blocks import only
from tests.tables.found import TABLES, Answer, ask
from tests.tables.shelf import Book, Kind, Shelf, opened
from tests.wording import carries

SHELF = next(found for found in TABLES if found.home == "tests.tables.shelf")
FIRST = Book(id="B-001", title="Solaris", authors=("Lem, Stanisław",), year=1961, note="worn")


@pytest.fixture(autouse=True)
def _shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STEPSCRIPT_ROLE", raising=False)
    opened(".").create(Shelf((FIRST,)))


def do(*words: str, given: str = "") -> Answer:
    return ask(SHELF, ("--state-dir", ".", *words), given)


def update(*words: str, given: str = "") -> Book:
    """Return the book after a successful update."""
    answer = do("set-book", "--id", "B-001", "--version", "1", *words, given=given)
    assert answer.status == 0, answer
    (book,) = opened(".").load().books
    assert parse(answer.printed).blocks == (EntityResult(id="B-001", version=2, operation=Operation.UPDATED),)
    assert book.version == 2
    return book


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        (("--title", "-x and y"), "title", "-x and y"),
        (("--title=-x",), "title", "-x"),
        (("--author", "returns X, and Y"), "authors", ("returns X, and Y",)),
        (("--author", "A", "--author", "B"), "authors", ("A", "B")),
        (("--no-author",), "authors", ()),
        (("--year", "0"), "year", 0),
        (("--no-year",), "year", None),
        (("--kind", "atlas"), "kind", Kind.ATLAS),
        (("--lent",), "lent", True),
        (("--no-lent",), "lent", False),
        (("--note", "a\nb\r\nc"), "note", "a\nb\r\nc"),
        (("--note-file", "-"), "note", "'quoted' \"$HOME\" `x`\n<a>"),
        (("--no-note",), "note", None),
        (("--author-file", "-"), "authors", ("'quoted' \"$HOME\" `x`", "<a>")),
        (("--author", "A", "--author-file", "-"), "authors", ("A", "'quoted' \"$HOME\" `x`", "<a>")),
        (("--add-author", "Eco", "--add-author", "Lem"), "authors", ("Lem, Stanisław", "Eco", "Lem")),
        (("--remove-author", "Lem", "--add-author", "Eco"), "authors", ("Eco",)),
        (("--replace", "wor", "tor"), "note", "torn"),
        (("--replace", "w", "-w", "--replace", "rn", "r n"), "note", "-wor n"),
        ((), "title", "Solaris"),
    ],
)
def test_a_value_is_set_or_taken_away_and_all_else_stays(words: Sequence[str], name: str, value: object) -> None:
    book = update(*words, given="'quoted' \"$HOME\" `x`\n<a>\n")
    assert getattr(book, name) == value
    for other in {"title", "authors", "year", "kind", "lent", "note"} - {name}:
        assert getattr(book, other) == getattr(FIRST, other)


def test_a_text_comes_from_a_file_too(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_bytes("\ufeffé\r\nlast\r\n".encode())
    assert update("--note-file", "note.txt").note == "é\r\nlast\r"


WRONG = {
    "no command": ((), "are required: COMMAND"),
    "an unknown command": (("set-bok",), "'set-bok' … 'set-book'"),
    "an unknown flag": (("set-book", "--titel", "x"), "'--titel' … --title"),
    "an abbreviated flag": (("set-book", "--titl", "x"), "'--titl' … --title"),
    "a stray word": (("count", "novel", "x"), "'x'"),
    "a missing value": (
        ("set-book", "--title"),
        "--title: … '-'",
    ),
    "a value twice": (("set-book", "--title", "a", "--title", "b"), "--title:"),
    "a text and a file": (("set-book", "--title", "a", "--note", "a", "--note-file", "-"), "--note:"),
    "set and taken away": (("set-book", "--author", "a", "--no-author"), "--author:"),
    "standard input twice": (("fill", "--books-file", "-", "--books-file", "-"), "--books-file:"),
    "a blank text": (("set-book", "--note", " "), "--note: … --no-note"),
    "a blank title": (("set-book", "--title", ""), "--title: … blank"),
    "two lines where one may": (("set-book", "--title", "a\nb"), "--title: … U+000A … 1"),
    "a wrong choice": (
        ("set-book", "--kind", "NOVEL"),
        "--kind: 'NOVEL' … novel, atlas … 'novel'",
    ),
    "no whole number": (("set-book", "--year", "1.0"), "--year: '1.0' … 0 to 3000"),
    "a value for a switch": (("set-book", "--lent=yes"), "argument --lent: ignored explicit argument 'yes'"),
    "what a rule refuses": (("set-book", "--id", "a b"), "--id: 'a b' holds a blank"),
    "a version without id": (("set-book", "--version", "1"), "--version … --id"),
    "nothing to create of": (("set-book", "--year", "1"), "--title … --id … --version"),
    "a missing list": (("fill",), "--books-file"),
    "a missing argument": (("get-book",), "are required: BOOK"),
    "a request wrong in itself": (("set-book", "--title", "?"), "--title must be known, not {?}"),
    "a list and an edit of it": (("set-book", "--author", "a", "--add-author", "b"), "--author:"),
    "an edit of a new one": (("set-book", "--title", "x", "--add-author", "b"), "--author:"),
    "a blank item": (("set-book", "--id", "B-001", "--add-author", " "), "--author: … blank"),
    "half a pair": (("set-book", "--id", "B-001", "--replace", "x"), "--replace: … OLD and NEW"),
    "nothing to replace": (("set-book", "--id", "B-001", "--replace", "", "x"), "--replace:"),
    "a file that is not there": (("set-book", "--note-file", "none"), f"--note: none: {os.strerror(errno.ENOENT)}"),
    "a malformed document": (("fill", "--books-file", "-"), "--books-file: … JSON"),
    "an unknown role": (("count", "--role", "qr"), "--role: 'qr' … architect"),
    "an option twice": (("--role", "architect", "count", "--role", "architect"), "--role:"),
    "an unknown form": (("count", "--format", "pdf"), "--format: 'pdf' … plain, xml, text, json"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_usage_says_what_to_write_instead(name: str) -> None:
    words, says = WRONG[name]
    answer = do(*words, given="nothing")
    assert (answer.status, answer.printed) == (2, "")
    assert carries(answer.said, says)
    assert carries(answer.said, "--help.")
    assert opened(".").load() == Shelf((FIRST,))


def test_shared_options_may_come_before_or_after_the_command() -> None:
    assert ask(SHELF, ("count", "--state-dir", ".")).status == 0
    answer = ask(SHELF, ("count",))
    assert answer.status == 2
    assert carries(answer.said, "--state-dir")


def test_an_unknown_entity_is_refused_with_the_nearest() -> None:
    answer = do("set-book", "--id", "B-01", "--version", "1", "--title", "x")
    refusal = only(answer.printed, Refusal)
    assert (answer.status, answer.said, refusal.code, refusal.target) == (1, "", "unknown-id", "B-01")
    assert "B-001" in refusal.fix


def test_a_stale_version_is_refused_with_the_entity_as_it_is() -> None:
    answer = do("set-book", "--id", "B-001", "--version", "7", "--title", "x")
    block = only(answer.printed, VersionMismatchError)
    assert (answer.status, block.entity_id, block.provided_version, block.current_version) == (1, "B-001", 7, 1)
    assert '"title": "Solaris"' in block.current_entity


def test_change_that_fails_the_overall_check_is_not_written() -> None:
    answer = do("set-book", "--title", "Solaris")
    refusal = only(answer.printed, Refusal)
    assert (answer.status, refusal.code) == (1, "invalid-change")
    assert str(refusal.message).startswith("books: ")
    assert do("set-book", "--title", "Eden").status == 0


def test_a_role_uses_its_own_commands_only(monkeypatch: pytest.MonkeyPatch) -> None:
    good = ("set-book", "--title", "x")
    assert do("--role", "developer", "count").status == 0
    refused = do("--role", "developer", *good)
    assert refused.status == 1
    assert "count" in refused.printed
    monkeypatch.setenv("STEPSCRIPT_ROLE", "developer")
    assert do(*good).status == 1
    assert do(*good, "--role", "architect").status == 0
    monkeypatch.setenv("STEPSCRIPT_ROLE", "devloper")
    answer = do(*good)
    assert (answer.status, answer.printed) == (2, "")
    assert "'developer'" in answer.said


def test_a_missing_state_is_refused_without_a_trace(tmp_path: Path) -> None:
    os.mkdir("empty")
    for words in (("count",), ("set-book", "--title", "x")):
        answer = ask(SHELF, ("--state-dir", "empty", *words))
        refusal = only(answer.printed, Refusal)
        assert (answer.status, refusal.code, str(refusal.fix)) == (1, "missing-state", "run begin")
    assert list((tmp_path / "empty").iterdir()) == []


def test_an_update_without_a_version_is_refused_with_the_entity_as_it_is() -> None:
    answer = do("set-book", "--id", "B-001", "--title", "x")
    block = only(answer.printed, VersionMismatchError)
    assert (answer.status, block.entity_id, block.provided_version, block.current_version) == (1, "B-001", None, 1)
    assert '"title": "Solaris"' in block.current_entity


def test_a_text_is_printed_as_it_is_and_a_result_as_xml() -> None:
    shown = do("get-book", "B-001").printed
    assert json.loads(shown)["title"] == "Solaris"
    assert do("get-book", "B-001", "--format", "xml").printed.startswith('<code language="json">')
    assert do("set-book", "--title", "x").printed == '<entity_result id="B-002" version="1" operation="created"/>\n'


def test_a_result_comes_in_other_formats_too() -> None:
    assert do("get-book", "B-001", "--format", "text").printed.startswith("code json:\n")
    assert do("set-book", "--title", "x", "--format", "text").printed == "CREATED B-002 v1\n"
    found = json.loads(do("set-book", "--title", "y", "--format", "json").printed)
    assert found == {"schema": 1, "type": "EntityResult", "id": "B-003", "version": 1, "operation": "created"}
    assert json.loads(do("get-book", "B-9", "--format", "json").printed)["error"]["target"] == "B-9"
