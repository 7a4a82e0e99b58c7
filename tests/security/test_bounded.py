"""The start of a client's session, and the list of runs, take little time for any content of a folder of runs."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.command import Command
from lib.workflow.state.consent import MARK, mark
from lib.workflow.testing.inprocess import run_here
from skills.planner.modules import PLAN
from skills.planner.session import lines
from tests.security.hostile import ODD, hole

SECONDS = 0.3
"""Most seconds of the processor: the load of the machine does not count."""
BIG = 5 << 20
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create the folder of runs of a project."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "project"
    (folder / ".stepscript" / "runs").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder / ".stepscript" / "runs"


def name(number: int) -> str:
    return f"0101-{number:04x}"


def begin(folder: Path) -> Path:
    """Start a run as this user."""
    assert run_here(Command(PLAN, ("--state-dir", str(folder), "init", "--task", "limits"))).status == 0
    return folder


def large_runs_of_the_user(runs: Path) -> None:
    for number in range(20):
        path = begin(runs / name(number)) / "run.json"
        held = json.loads(path.read_text())
        path.write_text(json.dumps({**held, "task": "x" * BIG}))


def many_runs_of_the_user(runs: Path) -> None:
    first = (begin(runs / name(0)) / "run.json").read_bytes()
    for number in range(1, 300):
        (runs / name(number)).mkdir()
        (runs / name(number) / "run.json").write_bytes(first)
        mark(str(runs / name(number)), str(runs.parents[1]))


def thousands_with_forged_marks(runs: Path) -> None:
    begin(runs / name(0))
    for number in range(1, 4000):
        (runs / name(number)).mkdir()
        (runs / name(number) / "run.json").write_bytes(b"{}")
        (runs / name(number) / MARK).write_bytes(b"\0".join((b"0" * 64, b"/x", b"1", b"/x", b"y" * 10_000)))


def long_journals(runs: Path) -> None:
    line = json.dumps({"event": "step", "key": "1", "text": "x" * 20_000})
    for number in range(20):
        driver = runs / name(number) / "driver"
        driver.mkdir(parents=True)
        (driver / "journal.jsonl").write_text(f"{line}\n" * 300)
        mark(str(driver))


def one_endless_line(runs: Path) -> None:
    for number in range(5):
        driver = runs / name(number) / "driver"
        driver.mkdir(parents=True)
        hole(driver / "journal.jsonl")
        mark(str(driver))


def files_that_keep_a_reader_waiting(runs: Path) -> None:
    for number, make in enumerate(ODD.values()):
        (runs / name(number)).mkdir()
        mark(str(runs / name(number)), str(runs.parents[1]))
        for file in ("run.json", "plan.json", "incoherence.json", "qr-plan-design.json"):
            make(runs / name(number) / file)


def a_pipe_in_the_place_of_the_folder(runs: Path) -> None:
    runs.rmdir()
    os.mkfifo(runs)


WAYS = [
    *(large_runs_of_the_user, many_runs_of_the_user, thousands_with_forged_marks, long_journals, one_endless_line),
    *(files_that_keep_a_reader_waiting, a_pipe_in_the_place_of_the_folder),
]


@pytest.mark.parametrize("make", WAYS, ids=lambda make: make.__name__)
def test_a_session_starts_in_time(make: Callable[[Path], None], runs: Path) -> None:
    lines(str(runs.parents[1]))  # first imports do not count
    make(runs)
    assert _took(lambda: lines(str(runs.parents[1]))) < SECONDS


@pytest.mark.parametrize("make", WAYS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("words", [["runs"], ["runs", "--json"]], ids=str)
def test_runs_are_listed_in_time(words: list[str], make: Callable[[Path], None], runs: Path, capsys: Captured) -> None:
    main(words)
    make(runs)
    assert _took(lambda: main(words)) < SECONDS
    assert "internal error" not in capsys.readouterr().err


def test_a_run_of_the_user_is_named_beside_those_of_a_repository(runs: Path) -> None:
    thousands_with_forged_marks(runs)
    os.utime(runs / name(0), (1 << 40, 1 << 40))
    assert name(0) in lines(str(runs.parents[1]))[1]


def _took(call: Callable[[], object]) -> float:
    """Return the seconds of the processor; the least of three tries."""

    def once() -> float:
        before = time.process_time()
        call()
        return time.process_time() - before

    return min(once() for _ in range(3))
