"""`stepscript status` of a run that an agent drives: its skill says where it stands, again whenever something changes."""

import json
import os
import re
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.app.main import main
from lib.workflow.homes import runs_folder
from skills.planner.commands.beginning import init
from skills.planner.state.files import change_run

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A run of the planner in a project."""
    (tmp_path / ".stepscript").mkdir()
    monkeypatch.chdir(tmp_path)
    folder = os.path.join(runs_folder(), "mine")
    os.makedirs(folder)
    init(folder, "add limits", project_root=str(tmp_path))
    return folder


@pytest.mark.parametrize("name", [[], ["mine"], [".stepscript/runs/mine"]], ids=str)
def test_it_is_found_by_name_by_folder_and_as_the_only_one(name: list[str], capsys: Captured) -> None:
    assert main(["status", *name]) == 0
    said = capsys.readouterr().out
    assert "add limits" in said
    assert "--step 2" in said


def test_programs_read_the_same_as_json(capsys: Captured) -> None:
    assert main(["status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["The run"]["Run"] == "mine"


def test_who_watches_is_told_each_change_once_until_it_is_enough(
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
