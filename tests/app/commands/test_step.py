"""A step by the name of its workflow prints the step's own page."""

import json
import os

import pytest

from lib.workflow.app.main import main
from lib.workflow.ast.parse import parse
from lib.workflow.render.json import parse_json
from tests.plugins.sites import only

Captured = pytest.CaptureFixture[str]


def test_a_step_is_printed_by_name_and_takes_its_own_flags(capfd: Captured) -> None:
    assert main(["step", "problem-analysis", "3", "--iteration", "5"]) == 0
    printed = parse(capfd.readouterr().out)
    assert main(["step", "problem-analysis", "3", "--json", "--iteration", "5"]) == 0
    assert parse_json(capfd.readouterr().out) == printed
    assert main(["step", "problem-analysis", "3", "--iteration", "6"]) == 2
    assert "--iteration" in capfd.readouterr().err


@pytest.mark.parametrize("words", [["--help"], ["3", "--help"]])
def test_the_help_of_a_step_is_the_steps_own(words: list[str], capfd: Captured) -> None:
    assert main(["step", "problem-analysis", *words]) == 0
    assert "--iteration" in capfd.readouterr().out


@pytest.mark.parametrize(("step", "status"), [("ask", 3), ("close", 0)])
def test_the_exit_status_of_a_step_is_passed_on(
    step: str, status: int, tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    only("tests.workflows", monkeypatch)
    number = {"ask": "3", "close": "4"}[step]
    words = ["step", "desk", number, "--state-dir", os.fspath(tmp_path)]
    if step == "ask":
        assert main(words) == 1
        assert 'code="no-request"' in capfd.readouterr().out
        assert main([*words, "--json"]) == 1
        assert json.loads(capfd.readouterr().out)["error"]["code"] == "no-request"
        with open(os.path.join(tmp_path, "request"), "w", encoding="utf-8") as file:
            file.write("x")
    assert main(words) == status


def test_step_that_starts_a_run_says_so_before_it_does(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["step", "planner", "1", "--task", "add limits"]) == 0
    assert "planner" in capfd.readouterr().err
    assert os.listdir(".stepscript/runs")
    assert main(["step", "problem-analysis", "1"]) == 0
    assert capfd.readouterr().err == ""
