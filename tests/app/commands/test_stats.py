"""How much a workflow prints."""

import json
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.render.xml import render
from tests.app.terminals import Terminal
from tests.subjects import PROOF

Captured = pytest.CaptureFixture[str]


def test_a_workflow_without_agents_prints_what_its_steps_do(capsys: Captured) -> None:
    assert main(["stats", "problem-analysis", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    analysis = PROOF.targets.workflows["skills.problem_analysis.analyze"]
    expected = [len(render(analysis.run(number, analysis.context(number)))) for number in range(1, 6)]
    assert [step["characters"] for step in told["steps"]] == expected
    assert told["own"] == told["whole"] == {"pages": 5, "characters": sum(expected)}


def test_how_much_is_printed_does_not_depend_on_where_it_was_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    counted = set()
    for folder in (tmp_path, tmp_path / "a-longer-name"):
        folder.mkdir(exist_ok=True)
        monkeypatch.setattr("lib.workflow.testing.stage.MEMORY", str(folder))
        assert main(["stats", "leon-writing-style", "--json"]) == 0
        counted.add(capsys.readouterr().out)
    assert len(counted) == 1


def test_what_agents_read_is_counted_with_those_who_launch_them(capsys: Captured) -> None:
    assert main(["stats", "planner", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    verifying = [step for step in told["steps"] if step["agents"] > 1]
    assert [step["number"] for step in verifying] == [5, 9, 13]
    assert all(step["launched"]["pages"] == 20 + step["agents"] for step in verifying)
    launched = sum(step["launched"]["characters"] for step in told["steps"])
    assert told["whole"]["characters"] == told["own"]["characters"] + launched


def test_people_get_a_table_within_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout", terminal)
    assert main(["stats", "planner"]) == 0
    shown = terminal.getvalue()
    assert max(map(len, shown.splitlines())) <= 80
    assert "with all agents" in shown.splitlines()[-1]
