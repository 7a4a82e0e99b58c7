"""`stepscript runs`, `status` and `gc` of a project whose runs are of every kind: broken, linked, an agent's own."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.app.main import main
from lib.workflow.app.runs import run_index
from lib.workflow.command import Command
from lib.workflow.run.journal.spec import Spec
from lib.workflow.run.temporal.host_record import Record, read_record, write_record
from lib.workflow.run.temporal.place import id_of
from lib.workflow.state.consent import mark
from lib.workflow.state.run_dirs import runs_folder
from lib.workflow.state.run_folder import make_run
from skills.incoherence.due import STEPS
from skills.incoherence.staging import begin
from skills.planner.commands.beginning import init
from skills.planner.state.files import change_run

Captured = pytest.CaptureFixture[str]
REHEARSAL = ("rehearse", "problem-analysis", "--keep")


@pytest.fixture(autouse=True)
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> Path:
    """Create the folder of runs of a project with one that ended long ago."""
    (tmp_path / ".stepscript").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("lib.workflow.app.commands.runs.SECONDS", 60.0)  # on a busy machine too
    folder = Path(runs_folder())
    assert main([*REHEARSAL, str(folder / "sound")]) == 0
    os.utime(folder / "sound" / "driver" / "journal.jsonl", (0, 0))
    capsys.readouterr()
    return folder


def listed(capsys: Captured) -> dict[str, tuple[str, str]]:
    """Return workflow and state of each run."""
    capsys.readouterr()
    assert main(["runs", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["runs"]
    return {os.path.basename(row["run"]): (row["workflow"], row["state"]) for row in rows}


JUNK = [
    "",
    "no entry",
    '{"event": "begun"}',
    '{"event": "begun", "text": "{}"}',
    '{"event":"asked","text":"<complete/>"}',
    "[" * 100_000,
    '{"event": "done", "at": "\\u001b[2J"}',
    "\ud800",
]
"""Lines that are not valid first entries of a journal."""


@pytest.mark.parametrize("journal", JUNK)
def test_unreadable_run_does_not_hide_other_runs(journal: str, runs: Path, capsys: Captured) -> None:
    (runs / "bad" / "driver").mkdir(parents=True)
    (runs / "bad" / "driver" / "journal.jsonl").write_bytes(
        f"{journal}\n".encode(errors="surrogatepass") if journal else b""
    )
    mark(str(runs / "bad" / "driver"))
    assert main(["runs"]) == 0
    said = capsys.readouterr()
    assert {"sound", "bad", "unreadable"} <= set(said.out.split())
    assert str(runs / "bad") in said.err
    assert main(["status"]) == 0
    said = capsys.readouterr()
    assert "sound" in said.out
    assert str(runs / "bad") in said.err
    assert main(["status", "bad"]) == 1
    assert str(runs / "bad") in capsys.readouterr().err
    assert main(["gc", "--days", "0"]) == 0
    assert listed(capsys) == {"bad": ("", "unreadable")}


@pytest.mark.parametrize("record", ["", "{}", "[", '{"id": 1}', "\ud800", "x" * 2_000_000])
def test_broken_server_record_is_named_and_does_not_hide_other_runs(record: str, runs: Path, capsys: Captured) -> None:
    path = runs / "bad" / "driver" / "temporal.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(record.encode(errors="surrogatepass"))
    mark(str(path.parent))
    for words in (["runs"], ["status"], ["gc", "--dry-run", "--days", "0"]):
        assert main(words) == 0
        said = capsys.readouterr()
        assert "sound" in said.out
        assert words[0] == "gc" or str(path) in said.err
    for words in (["status", "bad"], ["resume", "bad", "--trust"], ["answer", "bad", "1"], ["cancel", "bad"]):
        assert main(words) == 1
        assert str(path) in capsys.readouterr().err


def test_a_run_on_a_server_whose_folder_was_copied_is_not_taken_for_the_original(
    runs: Path, tmp_path: Path, capsys: Captured
) -> None:
    original, copy = (str(runs / name / "driver") for name in ("original", "copy"))
    start = str(Command("skills.problem_analysis.analyze", ("--step", "1")))
    spec = Spec(workflow="problem-analysis", start=start, agent="true")
    record = Record(id=id_of("q", original), queue="q", root=str(tmp_path), spec=spec, address="x", namespace="y")
    for folder in (original, copy):
        write_record(folder, record)
        mark(folder)
    os.symlink(runs / "original", tmp_path / "link")
    assert listed(capsys)["copy"] == ("", "unreadable")
    for words in (["resume", "copy", "--trust"], ["cancel", "copy"], ["answer", "copy", "1"], ["status", "copy"]):
        assert main(words) == 1
        assert original in capsys.readouterr().err
    assert read_record(str(tmp_path / "link" / "driver")) == record


def test_run_whose_skill_fails_to_report_does_not_hide_other_runs(
    runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    begun(str(runs / "mine"))

    def failing(state_dir: str) -> None:
        raise KeyError(state_dir)

    monkeypatch.setattr("lib.workflow.app.runs.reports.ending", failing)
    assert listed(capsys) == {"sound": ("problem-analysis", "done"), "mine": ("", "unreadable")}
    assert main(["gc", "--days", "0"]) == 0
    assert listed(capsys) == {"mine": ("", "unreadable")}


def test_run_that_another_workflow_goes_on_with_is_as_new_as_its_last_event(runs: Path) -> None:
    for name, first, second in (("older", 100, 300), ("newer", 200, None)):
        shutil.copytree(runs / "sound", runs / name)
        os.utime(runs / name / "driver" / "journal.jsonl", (first, first))
        if second:
            shutil.copytree(runs / name / "driver", runs / name / "driver-2")
            os.utime(runs / name / "driver-2" / "journal.jsonl", (second, second))
        os.utime(runs / name, (0, 0))
    os.utime(runs / "sound", (0, 0))
    (last,) = run_index.listed(1)
    assert (last.name, os.path.basename(last.driver)) == ("older", "driver-2")


def test_status_falls_back_to_the_run_that_an_agent_follows_itself(runs: Path, capsys: Captured) -> None:
    (runs / "sound" / "driver" / "journal.jsonl").write_text("")
    assert main(["status"]) == 2
    begun(str(runs / "mine"))
    assert main(["status"]) == 0
    assert "add limits" in capsys.readouterr().out


def test_gc_removes_everything_except_what_is_behind_a_link(runs: Path, tmp_path: Path, capsys: Captured) -> None:
    shutil.move(runs / "sound", tmp_path / "elsewhere")
    for name in "abc":
        shutil.copytree(tmp_path / "elsewhere", runs / name)
    (runs / "bb").symlink_to(tmp_path / "elsewhere")
    assert main(["gc", "--days", "0"]) == 0
    assert os.listdir(runs) == ["bb"]
    assert "bb" in capsys.readouterr().out.splitlines()[-1]
    assert (tmp_path / "elsewhere" / "driver").is_dir()


def carried_out(folder: str) -> None:
    init(folder, "add limits", project_root=os.getcwd())
    change_run(folder, lambda run: evolve(run, finished=True))


def ended(folder: str) -> None:
    init(folder, "add limits", project_root=os.getcwd())
    change_run(folder, lambda run: evolve(run, aborted=True))


def begun(folder: str) -> None:
    init(folder, "add limits", project_root=os.getcwd())


def reported(folder: str) -> None:
    make_run(folder)
    begin(STEPS[-1], folder)


def asking(folder: str) -> None:
    make_run(folder)
    begin("ask", folder)


@pytest.mark.parametrize(
    ("make", "skill", "state"),
    [
        (carried_out, "planner", "ended"),
        (ended, "planner", "ended"),
        (begun, "planner", "open"),
        (reported, "incoherence", "ended"),
        (asking, "incoherence", "open"),
    ],
)
def test_a_run_that_an_agent_drives_is_listed_and_goes_when_it_is_over(
    make: Callable[[str], None], skill: str, state: str, runs: Path, capsys: Captured
) -> None:
    make(str(runs / "mine"))
    (runs / "nothing").mkdir()
    assert listed(capsys) == {"sound": ("problem-analysis", "done"), "mine": (skill, state)}
    assert main(["gc", "--days", "0", "--dry-run"]) == 0
    assert ("mine" in capsys.readouterr().out) == (state == "ended")
    assert main(["gc", "--days", "0"]) == 0
    assert set(os.listdir(runs)) == {"nothing", *(() if state == "ended" else ("mine",))}
