"""Every command table of the project, found automatically, and that of the tests; and their use in this process."""

import io
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from attrs import evolve

from lib.workflow.cli.table.arguments import Argument
from lib.workflow.cli.table.calls import load
from lib.workflow.cli.table.command_line.line import Call, read_call
from lib.workflow.cli.table.rows import Example, Row, Table
from lib.workflow.cli.table.run import main
from lib.workflow.testing.tables import homes_of_tables
from skills.planner.schema.phase import Phase
from tests.databases.places import Place
from tests.skills.planner.runs import run_with


class Found(NamedTuple):
    """A table, and the module that holds it."""

    home: str
    table: Table[Any]


class Answer(NamedTuple):
    """The result of one command."""

    status: int
    printed: str
    said: str


@cache
def tables() -> tuple[Found, ...]:
    """Return all tables."""
    homes = ("tests.tables.shelf", *homes_of_tables("skills"))
    return tuple(Found(home, load(home)) for home in homes)


TABLES: Final = tables()


def begin(found: Found, place: Place) -> Found:
    """Make a run for a table's examples; for a review, with handed-in work. Returns the table with that run."""
    place.make()
    words = list(found.table.shared)
    if "--qr-phase" in words:
        name = words[words.index("--qr-phase") + 1]
        run_with(place.folder, next(phase for phase in Phase if phase == name))
    words[words.index("--state-dir") + 1] = place.address
    return Found(found.home, evolve(found.table, shared=tuple(words), rows=tuple(found.table.rows.values())))


def ask(found: Found, words: Sequence[str], given: str = "") -> Answer:
    """Run one command in this process, in the working directory."""
    printed, said = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed), redirect_stderr(said):
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
        status = main(found.home, list(words))
    return Answer(status, printed.getvalue(), said.getvalue())


def examples(found: Found) -> Iterator[tuple[Row[Any], Example]]:
    """Yield all examples of the rows that succeed, in the order in which they build on one another."""
    for row in found.table.rows.values():
        yield from ((row, example) for example in row.examples if not example.early)


def words_of(found: Found, row: Row[Any], example: Example) -> tuple[str, ...]:
    """Return the words of an example, after the module."""
    return (*found.table.shared, row.name, *example.words)


def called(found: Found, row: Row[Any], example: Example) -> Call[Any]:
    """Return the parsed call of an example's command line."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(example.given.encode())))
        return read_call(found.table, words_of(found, row, example), ("xml",))


def as_request(found: Found, row: Row[Any], example: Example) -> dict[str, object]:
    """Return the same as an object of a batch."""
    request = called(found, row, example).request
    assert request is not None
    keys = {argument.name: key for key, argument in row.arguments.items()}
    plain = {keys[name]: _plain(row.arguments[keys[name]], value) for name, value in request.values.items()}
    return {"command": row.name, **plain}


def _plain(argument: Argument, value: object) -> object:
    """Return the value as JSON has it."""
    return json.loads(argument.document.encode(value, "\n")) if argument.document else value


def state_in(folder: Path) -> dict[str, bytes]:
    """Return the state files in a folder, at any depth."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(".lock"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
