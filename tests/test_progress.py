"""Progress: the reader finds the lines that a step writes, and no others."""

from contextlib import suppress

import pytest

from lib.workflow.util.progress import LONGEST, LONGEST_TEXT, Progress, read_progress, say


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (Progress("check 1 of 2", 300), Progress("check 1 of 2", 300)),
        (Progress("two\nlines \x1b[31m", 1), Progress("two lines \\x1b[31m", 1)),
        (Progress("x" * 500, 1), Progress("x" * LONGEST_TEXT, 1)),
        (Progress("for ever", 999_999), Progress("for ever", LONGEST)),
    ],
)
def test_a_line_reads_back(written: Progress, read: Progress, capsys: pytest.CaptureFixture[str]) -> None:
    say(written)
    (line,) = capsys.readouterr().err.splitlines()
    assert read_progress(line) == read


@pytest.mark.parametrize(
    "line", ["", "check 1 of 2", "[at most s] x", "[at most 1e9 s] x", " [at most 3 s] x", "[at most 1234567 s] x"]
)
def test_other_lines_are_not_read_as_progress(line: str) -> None:
    assert read_progress(line) is None


def test_progress_without_standard_error_is_not_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    say(Progress("check 1 of 2", 300))
    with suppress(OSError), open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr("sys.stderr", full)
        say(Progress("check 1 of 2", 300))
