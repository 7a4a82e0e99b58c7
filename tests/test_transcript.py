"""Scripts that an agent of a run starts add their output to the transcript of its attempt."""

from pathlib import Path

import pytest

from lib.workflow.command import Command
from lib.workflow.state.transcript import Print, add, read
from lib.workflow.testing.inprocess import environment, run_here
from lib.workflow.util.output import TRANSCRIPT

PLAN = "skills.planner.cli.plan"
ANALYSIS = "skills.problem_analysis.analyze"


@pytest.mark.parametrize(
    ("module", "words", "status", "name"),
    [
        (ANALYSIS, ("--step", "2"), 0, "skills.problem_analysis.workflow"),
        (ANALYSIS, ("--step", "99"), 2, "skills.problem_analysis.workflow"),
        (PLAN, ("get", "--id", "M-001"), 1, "plan get"),
        (PLAN, ("nonsense",), 2, "plan"),
        (PLAN, ("get", "--help"), 0, "plan get"),
        ("skills.conventions.check", ("--help",), 0, "skills.conventions.check"),
    ],
)
def test_script_records_its_output_unchanged(
    module: str, words: tuple[str, ...], status: int, name: str, tmp_path: Path
) -> None:
    path = str(tmp_path / "transcript")
    options = ("--state-dir", str(tmp_path)) if module == PLAN else ()
    with environment({TRANSCRIPT: path}):
        ran = run_here(Command(module, (*options, *words)))
    assert ran.status == status
    assert list(read(path)) == [Print(name=name, text=ran.out + ran.errors)]


def test_prints_are_added_and_a_torn_line_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "transcript"
    for text in ("one", "two\nlines ü"):
        add(str(path), "x.y", (), text)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"name": "x.y", "te')
    assert [each.text for each in read(str(path))] == ["one\n", "two\nlines ü\n"]


def test_a_transcript_that_cannot_be_written_keeps_no_script_from_its_work(tmp_path: Path) -> None:
    options = Command(ANALYSIS, ("--step", "2"))
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    for path in (tmp_path / "missing" / "transcript", tmp_path / "link"):
        with environment({TRANSCRIPT: str(path)}):
            assert run_here(options) == run_here(options)
        assert not path.exists()
