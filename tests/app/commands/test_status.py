"""`stepscript status` of a run that an agent drives: its skill reports the status, again on each change."""

import json
import os
import re
from collections import Counter
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.app.main import main
from lib.workflow.app.runs import found_runs
from lib.workflow.app.runs.found_runs import drivers
from lib.workflow.state.run_dirs import runs_folder
from skills.planner.commands.beginning import init
from skills.planner.state.files import change_run

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Create a run of the planner in a project."""
    (tmp_path / ".stepscript").mkdir()
    monkeypatch.chdir(tmp_path)
    folder = os.path.join(runs_folder(), "mine")
    os.makedirs(folder)
    init(folder, "add limits", project_root=str(tmp_path))
    return folder


@pytest.mark.parametrize("name", [[], ["mine"], [".stepscript/runs/mine"]], ids=str)
def test_run_is_found_by_name_by_folder_or_as_the_only_run(name: list[str], capsys: Captured) -> None:
    assert main(["status", *name]) == 0
    said = capsys.readouterr().out
    assert "add limits" in said
    assert "--step 2" in said


def test_each_of_many_runs_is_read_once(run: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    for number in range(9):
        os.makedirs(os.path.join(runs_folder(), str(number)))
    looked = Counter[str]()

    def looking(folder: str) -> list[str]:
        looked[folder] += 1
        return drivers(folder)

    monkeypatch.setattr(found_runs, "drivers", looking)
    os.utime(run, (1 << 40, 1 << 40))
    assert main(["status"]) == 0
    assert "add limits" in capsys.readouterr().out
    assert set(looked.values()) == {1}
    assert len(looked) == 10


def test_programs_read_the_same_as_json(capsys: Captured) -> None:
    assert main(["status", "--json"]) == 0
    assert any(
        table["Run"] == "mine" for table in json.loads(capsys.readouterr().out).values() if isinstance(table, dict)
    )


def test_watch_prints_each_change_once_until_interrupted(
    run: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def nothing() -> None:
        pass

    def another_task() -> None:
        change_run(run, lambda held: evolve(held, task="remove limits"))

    def enough() -> None:
        raise KeyboardInterrupt

    happens = iter((nothing, another_task, nothing, enough))
    monkeypatch.setattr("time.sleep", lambda _: next(happens)())
    assert main(["status", "--watch"]) == 130
    assert re.findall("(.*) limits", capsys.readouterr().out) == ["  Task  add", "  Task  remove"]
