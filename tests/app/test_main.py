"""The `stepscript` command."""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.ast.parse import parse
from lib.workflow.command import Command
from lib.workflow.discovery import Unusable
from tests.subjects import PROOF

Captured = pytest.CaptureFixture[str]


def test_the_installed_command_knows_its_version() -> None:
    command = Path(sys.executable).with_name("stepscript")
    run = subprocess.run([command, "--version"], capture_output=True, encoding="utf-8", check=True)
    assert run.stdout == f"stepscript {version('stepscript')}\n"


def test_the_list_names_each_workflow_and_the_command_that_starts_it(capsys: Captured) -> None:
    assert main(["list"]) == 0
    listed = capsys.readouterr().out
    assert "problem-analysis  (5 steps)\n" in listed
    assert main(["list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["unusable"] == []
    for row in told["workflows"]:
        assert row["start"] in listed
        assert PROOF.targets.document(Command.read(row["start"])).blocks


def test_a_broken_skill_is_told_and_hides_no_other(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lib.workflow.app.main.search", lambda: ([], [Unusable("a.b", "NameError: x")]))
    assert main(["list"]) == 1
    assert capsys.readouterr().err == "stepscript: a.b cannot be used:\n  NameError: x\n"
    assert main(["list", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["unusable"] == [{"home": "a.b", "reason": "NameError: x"}]
    assert main(["step", "x", "1"]) == 2
    assert "there is no workflow 'x'; there is: none\n  a.b: NameError: x" in capsys.readouterr().err


def test_a_step_is_printed_by_name_and_takes_its_own_flags(capfd: Captured) -> None:
    assert main(["step", "problem-analysis", "3", "--iteration", "5"]) == 0
    assert parse(capfd.readouterr().out).blocks
    assert main(["step", "problem-analysis", "3", "--iteration", "6"]) == 2
    assert main(["step", "no-such-workflow", "1"]) == 2
    said = capfd.readouterr().err
    assert "there is no workflow 'no-such-workflow'; there is: " in said
    assert all(name in said for name in ("problem-analysis", "prompt-engineer"))


@pytest.mark.parametrize("words", [[], ["lst"], ["list", "--all"], ["step"], ["step", "problem-analysis"]])
def test_wrong_usage_exits_with_2(words: list[str], capsys: Captured) -> None:
    with pytest.raises(SystemExit) as done:
        main(words)
    assert done.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_the_demo_walks_a_workflow_to_its_end(capsys: Captured) -> None:
    assert main(["demo", "problem-analysis"]) == 0
    shown = capsys.readouterr().out
    rounds = [line for line in shown.splitlines() if line.startswith("-- at confidence")]
    assert [line.split()[3].rstrip(",") for line in rounds] == ["exploring", "low", "medium", "high"]
    assert "COMPLETE" in shown
    assert "every print was read back as the tree that was rendered" in shown


@pytest.mark.parametrize("words", ["list", "demo problem-analysis", "schema"])
def test_a_reader_that_goes_away_is_no_error(words: str) -> None:
    command = f"{Path(sys.executable).with_name('stepscript')} {words} | head -c 1 >/dev/null"
    run = subprocess.run(["/bin/sh", "-c", command], capture_output=True, encoding="utf-8", check=False)
    assert run.stderr == ""


def test_a_bad_launcher_is_wrong_usage(monkeypatch: pytest.MonkeyPatch, capfd: Captured) -> None:
    monkeypatch.setenv("WORKFLOW_PYTHON", "python && x")
    for words in (["list"], ["demo", "problem-analysis"]):
        assert main(words) == 2
        assert "WORKFLOW_PYTHON" in capfd.readouterr().err


def test_the_help_of_a_step_is_the_steps_own(capfd: Captured) -> None:
    with pytest.raises(SystemExit) as done:
        main(["step", "problem-analysis", "3", "--help"])
    assert done.value.code == 0
    assert "--iteration" in capfd.readouterr().out
