"""Handles of runs: names, their beginnings, `last`, and the only run that a command can mean."""

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.workflow.app.commands.logs import Since
from lib.workflow.app.main import main
from lib.workflow.app.runs.found_runs import find, folder_of
from lib.workflow.run.journal.status import standing
from lib.workflow.state.locks import is_held
from lib.workflow.state.run_dirs import runs_folder
from skills.planner.commands.beginning import init
from tests.wording import carries

Captured = pytest.CaptureFixture[str]
TASKS = {"1128-ab01": "It hangs at noon", "1128-ab02": "It hangs\n at night", "1129-cd03": "真夜中に止まる"}
LOSES = ("--attempts", "1", "--agent", "sh -c 'echo nothing left >&2; exit 3'")


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> Path:
    """Create a project with three runs of the planner that agents drive; the last name changed last."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".stepscript").mkdir()
    for at, (name, task) in enumerate(TASKS.items(), 1):
        folder = os.path.join(runs_folder(), name)
        os.makedirs(folder)
        init(folder, " ".join(task.split()), project_root=str(tmp_path))
        os.utime(folder, (at * 1000, at * 1000))
    capsys.readouterr()
    return Path(runs_folder())


@pytest.fixture
def waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> str:
    """Create a project with one run that waits for an answer."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".stepscript").mkdir()
    assert main(["run", "problem-analysis", "It hangs at noon", *LOSES]) == 3
    capsys.readouterr()
    return os.path.basename(os.path.dirname(find(None)))


@pytest.mark.parametrize(
    ("handle", "name"),
    [
        ("1128-ab01", "1128-ab01"),
        ("1129", "1129-cd03"),
        ("cd", "1129-cd03"),
        ("ab02", "1128-ab02"),
        ("last", "1129-cd03"),
        (".stepscript/runs/1128-ab02", "1128-ab02"),
    ],
)
def test_run_is_found_by_each_of_its_handles(handle: str, name: str, runs: Path, capsys: Captured) -> None:
    assert folder_of(handle) == str(runs / name)
    assert main(["status", handle]) == 0
    assert " ".join(TASKS[name].split()) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("handle", "named"), [("1128", True), ("ab0", True), ("x", False), ("", False), ("../", False)]
)
def test_handle_of_no_or_several_runs_is_refused_with_their_names(
    handle: str, named: bool, runs: Path, capsys: Captured
) -> None:
    assert main(["trust", handle, "--yes"]) == 2 if handle != "../" else True
    said = capsys.readouterr().err
    assert not named or ("1128-ab01" in said and "1128-ab02" in said)


def test_exact_name_wins_over_a_longer_one(runs: Path) -> None:
    shutil.copytree(runs / "1128-ab01", runs / "1128-ab01.2")
    assert folder_of("1128-ab01") == str(runs / "1128-ab01")


@pytest.mark.parametrize("words", [["runs"], ["gc", "--dry-run", "--days", "0"]], ids=" ".join)
def test_every_list_has_each_task_in_one_line_of_a_pipe(words: list[str], runs: Path, capsys: Captured) -> None:
    long = "limit requests " * 100
    init(str(runs / "1130-ef04"), long.strip(), project_root=str(runs.parent.parent))
    if words[0] == "gc":
        for name in (*TASKS, "1130-ef04"):
            path = runs / name / "run.json"
            path.write_text(path.read_text().replace('"aborted": false', '"aborted": true'))
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    for name, task in {**TASKS, "1130-ef04": long.strip()}.items():
        (line,) = (line for line in lines if line.startswith(name))
        assert line.endswith(" ".join(task.split()))


def test_shell_completes_names_of_runs_with_their_tasks(
    runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    for verb in ("status", "logs", "resume", "stop", "cancel", "trust", "answer"):
        monkeypatch.setenv("_STEPSCRIPT_COMPLETE", "zsh_complete")
        for folder, words in ((runs, ""), ("/", f" -C {runs.parents[1]}")):
            monkeypatch.chdir(folder)
            monkeypatch.setenv("COMP_WORDS", f"stepscript {verb}{words} 1128")
            monkeypatch.setenv("COMP_CWORD", str(2 + len(words.split())))
            with pytest.raises(SystemExit):
                main([])
            said = capsys.readouterr().out
            assert "1128-ab01" in said
            assert "hangs at night" in said
            assert "1129" not in said


def test_only_waiting_run_is_answered_and_goes_on(waiting: str, capsys: Captured) -> None:
    assert main(["answer", "2"]) == 1  # give up: the run goes on, and stops
    assert standing(find(waiting)).state == "stopped"
    assert main(["answer", "2"]) == 2
    assert "`stepscript runs`" in capsys.readouterr().err


def test_recorded_answer_waits_for_the_user_to_resume(waiting: str, capsys: Captured) -> None:
    assert main(["answer", "last", "1", "--no-resume", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["answered"] is True
    assert standing(find(waiting)).state == "interrupted"


@pytest.mark.parametrize("words", [["answer", "1"], ["cancel"]], ids=" ".join)
def test_several_candidates_are_named_instead_of_one_taken(words: list[str], waiting: str, capsys: Captured) -> None:
    assert main(["run", "problem-analysis", "Another", *LOSES]) == 3
    capsys.readouterr()
    assert main(words) == 2
    said = capsys.readouterr().err
    assert waiting in said
    assert "hangs at noon" in said
    assert "Another" in said


def test_mistyped_name_is_not_taken_for_an_answer(waiting: str, capsys: Captured) -> None:
    other = "0101-0000" if waiting != "0101-0000" else "0101-0001"
    assert main(["answer", other]) == 2
    assert f"'{other}'" in capsys.readouterr().err
    assert standing(find(waiting)).state == "waiting"


class Typing(io.StringIO):
    """A terminal on which a user types."""

    def isatty(self) -> bool:
        return True


def test_answer_without_a_value_asks_in_a_terminal_until_it_fits(
    waiting: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    assert main(["answer"]) == 2
    assert carries(capsys.readouterr().err, "1 ( … 2 (")
    monkeypatch.setattr(sys, "stdin", Typing("9\n2\n"))
    assert main(["answer", "--no-resume"]) == 0
    said = capsys.readouterr().err
    assert "'9'" in said


@pytest.fixture
def busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Iterator[subprocess.Popen[str]]":
    """Start a driver whose agent prints a line and goes on."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".stepscript").mkdir()
    agent = "sh -c 'echo first; echo thinking hard; exec sleep 60'"
    words = [
        sys.executable,
        "-P",
        "-m",
        "stepscript",
        "run",
        "problem-analysis",
        "It hangs",
        "--agent",
        agent,
        "--json",
    ]
    driver = subprocess.Popen(words, stdout=subprocess.PIPE, encoding="utf-8")
    assert driver.stdout is not None
    for line in driver.stdout:
        if json.loads(line)["event"] == "attempt":
            break
    run = find(None)
    while not (out := next(Path(run, "agents").glob("*.out"), None)) or "hard" not in out.read_text():
        pass
    yield driver
    driver.kill()
    driver.communicate()
    main(["cancel", "last"])  # ends the agent of a killed driver


def test_stopped_run_can_be_resumed_and_a_cancelled_one_cannot(busy: "subprocess.Popen[str]", capsys: Captured) -> None:
    run = find(None)
    assert main(["stop"]) == 0
    assert busy.wait(10) == 130
    assert "resume" in capsys.readouterr().out
    assert standing(run).state == "interrupted"
    assert not is_held(os.path.join(run, ".lock"))
    assert main(["stop", "last"]) == 2
    assert "interrupted" in capsys.readouterr().err
    assert main(["cancel", "last"]) == 0
    assert standing(run).state == "cancelled"


@pytest.mark.parametrize("command", ["status", "logs"])
def test_watcher_reports_a_killed_driver(
    command: str, busy: "subprocess.Popen[str]", monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    looks = iter((busy.kill, busy.wait))
    monkeypatch.setattr("time.sleep", lambda _: next(looks, busy.wait)())
    assert main([command, "--watch" if command == "status" else "--follow"]) == 130
    said = capsys.readouterr().out
    if command == "status":
        assert "> thinking hard" in said
        assert said.splitlines()[-1].startswith("interrupted; ")
    else:
        assert "attempt" in said.splitlines()[-1]


@pytest.mark.parametrize("form", [[], ["--json"]], ids=str)
def test_followed_log_has_each_event_once_and_ends_with_the_run(
    form: list[str], waiting: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    assert main(["logs", "--follow", *form]) == 3
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "nothing left" in line]
    assert len(lines) == len(set(lines)) == len(Path(find(waiting), "journal.jsonl").read_text().splitlines())


def test_log_since_a_time_leaves_earlier_events_out(waiting: str, capsys: Captured) -> None:
    assert main(["logs", "--json"]) == 0
    times = [json.loads(line)["at"] for line in capsys.readouterr().out.splitlines()]
    for since, number in (("1d", len(times)), (times[2], len(times) - 2), ("9999-01-01", 0)):
        assert main(["logs", "--json", "--since", since]) == 0
        assert len(capsys.readouterr().out.splitlines()) == number


@pytest.mark.parametrize("value", ["", "10", "1y", "-5m", "yesterday", "2025-13-01", "9" * 30 + "d", "999999d", "1m\n"])
def test_text_that_is_neither_duration_nor_time_is_refused(value: str, waiting: str) -> None:
    assert main(["logs", f"--since={value}"]) == 2
    assert Since().name == "time"


def test_elapsed_time_counts_all_sessions_without_the_pauses(waiting: str, capsys: Captured) -> None:
    path = Path(find(waiting), "journal.jsonl")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for second, line in enumerate(lines):
        line["at"] = f"2026-01-01T00:00:{second:02d}.000000Z"
    worked = len(lines) - 1
    again = {**lines[0], "event": "resumed", "text": "", "at": "2026-01-02T00:00:00.000000Z"}
    last = {**lines[1], "at": "2026-01-02T01:00:00.000000Z"}
    path.write_text("".join(json.dumps(line) + "\n" for line in (*lines, again, last)))
    assert standing(find(waiting)).account.worked == (worked + 3600) * 1000
    assert main(["status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["elapsed"] == worked + 3600
    assert main(["status"]) == 0
    assert f"elapsed: 1:00:{worked:02d}, since 2026-01-01 00:00:00Z" in capsys.readouterr().out
