"""Law 9: a change is refused whole, with the reason, or written whole, in every table of commands."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lib.workflow.ast.batch import BatchResult, BatchStatus, RequestStatus
from lib.workflow.cli.table.arguments import Argument, How
from lib.workflow.cli.table.command_line.spellings import spellings
from lib.workflow.cli.table.rows import Row
from tests.blocks import only, statuses
from tests.databases.places import Place
from tests.tables.found import TABLES, Found, as_request, ask, begin, called, examples, state_in, words_of

CANDIDATES = ("", " ", "\0", "a\ud800", "no such value", "-1", "a\nb", "99999999999999999999", "../../x y")


@pytest.fixture(params=TABLES, ids=lambda found: found.home)
def built(request: pytest.FixtureRequest, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Found:
    """Return a table, and make a state with all its examples in the working directory."""
    monkeypatch.chdir(tmp_path)
    found = begin(request.param, place)
    for row, example in examples(found):
        answer = ask(found, words_of(found, row, example), example.given)
        assert answer.status == 0, (row.name, answer)
    return found


def wrong_values(argument: Argument) -> Iterator[str]:
    """Yield texts that the argument refuses by itself; a test of the codec and of parameters checks that."""
    for text in CANDIDATES:
        try:
            argument.read(text)
        except ValueError:
            yield text


def wrong_calls(found: Found, row: Row[Any]) -> Iterator[tuple[str, ...]]:
    """Yield calls of the row that are wrong by one word."""
    example = row.examples[0]
    good = words_of(found, row, example)
    yield (*good, "--no-such-flag")
    yield (*good, "one word", "too many")
    for argument in row.arguments.values():
        for flag, how, _, _ in spellings(argument):
            if how is How.FILE:
                yield (*good, flag, "/no/such/file")
            if argument.replaces:
                yield from ((*good, flag), (*good, flag, "x"), (*good, f"{flag}=x"), (*good, flag, "", "x"))
            elif how is How.VALUE and flag.startswith("-"):
                yield from ((*good, f"{flag}={wrong}") for wrong in wrong_values(argument))
                yield from [(*good, flag, "x", flag, "x")] * (not argument.listed)


def test_malformed_request_changes_nothing(built: Found, place: Place, tmp_path: Path) -> None:
    before = (state_in(tmp_path), place.documents())
    tried = 0
    for row in built.table.rows.values():
        for words in wrong_calls(built, row):
            answer = ask(built, words)
            assert (answer.status, answer.printed) == (2, ""), words
            assert len(answer.said.splitlines()) >= 2
            tried += 1
    assert tried > 3 * len(built.table.rows)
    assert (state_in(tmp_path), place.documents()) == before


def test_a_batch_with_one_wrong_request_changes_nothing(built: Found, place: Place, tmp_path: Path) -> None:
    rows = [row for row in built.table.rows.values() if row.changes]
    before = (state_in(tmp_path), place.documents())
    wrong: list[object] = [{"command": "no such"}, {}, 7, None, {"command": rows[0].name, "no such key": 1}]
    for item in wrong:
        answer = ask(built, (*built.table.shared, "batch"), json.dumps([item, item]))
        assert answer.status == 1
        block = only(answer.printed, BatchResult)
        assert block.status is BatchStatus.REFUSED
        assert statuses(block) == [RequestStatus.REFUSED] * 2
    for text in ("", "{", "[]", "{}", "3", '["x"]'):
        assert ask(built, (*built.table.shared, "batch"), text).status in (1, 2)
    assert (state_in(tmp_path), place.documents()) == before


def files_of(found: Found) -> set[str]:
    """Return the state files that the rows change; other results, such as an id of a run, may differ each time."""
    example = next(row for row in found.table.rows.values() if row.changes)
    home = found.table.opens(**called(found, example, example.examples[0]).options)
    return {os.path.basename(row.store(home).path) for row in found.table.rows.values() if row.store}


def test_the_batch_form_means_what_the_command_line_means(
    built: Found, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run all examples again, elsewhere, with changes as batches: the state is the same."""
    other = tmp_path / "other"
    other.mkdir()
    expected = place.documents()
    monkeypatch.chdir(other)
    another = place.another("other/state")
    built = begin(built, another)
    for row, example in examples(built):
        if row.store is None:
            answer = ask(built, words_of(built, row, example), example.given)
        else:
            answer = ask(built, (*built.table.shared, "batch"), json.dumps([as_request(built, row, example)]))
        assert answer.status == 0, (row.name, answer)
    changed = files_of(built)
    assert changed
    assert {name: another.documents()[name] for name in changed} == {name: expected[name] for name in changed}
