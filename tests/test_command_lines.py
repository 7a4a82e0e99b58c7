"""The reader of usual command lines: whatever it accepts, argparse reads in the same way."""

import io
from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lib.workflow.cli import calls
from lib.workflow.cli.table.command_line import line
from lib.workflow.cli.words import pairs
from lib.workflow.errors import UsageError
from tests.tables.found import TABLES
from tests.workflows.review.workflow import WORKFLOW as REVIEW

SHELF: Final = next(found.table for found in TABLES if found.home == "tests.tables.shelf")
STEP: Final = (
    "--step",
    "--step=2",
    "--state-dir",
    "--loud",
    "--no-loud",
    "--loud=yes",
    "--format",
    "text",
    "1",
    "x",
    "",
)
COMMAND: Final = (
    *("count", "get-book", "set-book", "fill", "--title", "--title=a", "--author", "--lent", "--no-lent", "--no-note"),
    *(
        "--replace",
        "--add-author",
        "--role",
        "architect",
        "--format",
        "json",
        "x",
        "-x",
        "-x y",
        "--",
        "-",
        "",
        "--titl",
    ),
)


@given(st.lists(st.sampled_from(STEP), max_size=6))
@example(["--step", "text", "--step", "1"])
@example(["--step", "1", "--format", "x", "--format", "text"])
def test_a_step_is_read_as_argparse_reads_it(words: list[str]) -> None:
    agree(calls, lambda: calls.read_call(REVIEW, words))


@given(st.lists(st.sampled_from(COMMAND), max_size=6))
def test_a_command_is_read_as_argparse_reads_it(words: list[str]) -> None:
    agree(line, lambda: line.read_call(SHELF, ("--state-dir", "x", *words), ("xml", "json")))


def agree(module: object, read: Callable[[], object]) -> None:
    """Read a command line in both ways."""
    quick = result(read)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "pairs", unread)
        assert quick == result(read)


def result(read: Callable[[], object]) -> object:
    """Return the call, or the message of the error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
        try:
            return read()
        except UsageError as error:
            return str(error)


def unread(*_: object) -> Any:
    """Refuse every command line."""
    raise ValueError


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("--a", "1", "b", "--c=2=3", "--on"), [("--a", "1"), ("", "b"), ("--c", "2=3"), ("--on", "")]),
        (("--a", "", "--c="), [("--a", ""), ("--c", "")]),
        (("-", "--a", "-"), [("", "-"), ("--a", "-")]),
        (("--a",), None),
        (("--a", "-1"), None),
        (("--a", "--on"), None),
        (("--on=1",), None),
    ],
)
def test_each_flag_has_the_word_behind_it_or_behind_its_equals_sign(
    words: Sequence[str], found: list[tuple[str, str]] | None
) -> None:
    if found is None:
        with pytest.raises(ValueError, match="--"):
            list(pairs(words, ["--on"]))
    else:
        assert list(pairs(words, ["--on"])) == found
