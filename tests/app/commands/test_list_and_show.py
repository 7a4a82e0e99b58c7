"""What there is to run, and one of it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.command import Command
from tests.plugins.sites import HERE, only
from tests.subjects import PROOF

Captured = pytest.CaptureFixture[str]


def stepscript(*words: str, site: str = "site") -> "subprocess.CompletedProcess[str]":
    """The command as a process, with the packages of a site installed."""
    return subprocess.run(
        [Path(sys.executable).with_name("stepscript"), *words],
        capture_output=True,
        check=False,
        cwd="/",
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.path.join(HERE, site), "COLUMNS": "80", "NO_COLOR": "1"},
    )


def test_the_list_is_by_package_and_its_json_starts_each_workflow() -> None:
    shown = stepscript("list")
    assert (shown.returncode, shown.stderr) == (0, "")
    heads = [line for line in shown.stdout.split("\n") if line and not line.startswith(" ")]
    assert heads[:2] == ["skills", "tidy"]
    told = json.loads(stepscript("list", "--json").stdout)
    assert told["unusable"] == []
    for row in told["workflows"]:
        assert f"  {row['name']}  {row['steps']} step" in shown.stdout
        if row["package"] == "skills":
            PROOF.targets.accept(Command.read(row["start"]))
    assert {"tidy", "skills"} == {row["package"] for row in told["workflows"]}


def test_a_broken_skill_is_named_and_the_others_are_listed() -> None:
    shown = stepscript("list", site="broken_site")
    assert shown.returncode == 1
    assert "problem-analysis" in shown.stdout
    assert (
        "stepscript: rusty.torn cannot be used\n  ValueError: invalid literal for int() with base 10: 'torn'\n"
        in shown.stderr
    )
    as_json = stepscript("list", "--json", site="broken_site")
    assert as_json.returncode == 1
    broken = {(row["package"], row["home"]) for row in json.loads(as_json.stdout)["unusable"]}
    assert broken == {("rusty", "rusty.torn"), ("rusty", "rusty.taken"), ("no_such_package", "no_such_package")}


def test_a_workflow_is_shown_with_its_steps_its_flags_and_how_to_start_it(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["show", "problem-analysis", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [node["id"] for node in told["nodes"]] == ["gate", "hypothesize", "investigate", "formulate", "output"]
    assert [(row["flag"], row["steps"], row["default"]) for row in told["parameters"]] == [
        ("--confidence", [3], None),
        ("--iteration", [3], 1),
    ]
    assert main(["show", "problem-analysis"]) == 0
    shown = capsys.readouterr().out
    assert told["start"] in shown
    for word in (
        *(node["title"] for node in told["nodes"]),
        *(row["flag"] for row in told["parameters"]),
        "iterate → 3",
    ):
        assert word in shown
    assert max(len(line) for line in shown.splitlines() if told["start"] not in line) <= 80


def test_what_a_first_step_requires_is_said(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    only("tests.workflows", monkeypatch)
    assert main(["show", "desk"]) == 0
    shown = capsys.readouterr().out
    assert shown.endswith("and give it --state-dir\n")
    assert "tests.workflows.review.run" in shown
