"""The list of workflows, and the description of one."""

import json
import re
from collections.abc import Iterator

import pytest

from lib.workflow.app.main import main
from lib.workflow.app.skills.shelves import find
from lib.workflow.cli.calls import read_call
from lib.workflow.command import Command
from tests.plugins.sites import installed, only

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def site(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Install foreign packages beside ours; those of the second site are broken."""
    monkeypatch.setenv("NO_COLOR", "1")
    for _ in installed(request.param, monkeypatch):
        yield request.param


@pytest.mark.parametrize("site", ["site"], indirect=True)
def test_the_list_is_by_package_and_its_json_starts_each_workflow(site: str, capsys: Captured) -> None:
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    heads = [line for line in shown.split("\n") if line and not line.startswith(" ")]
    assert heads[:2] == ["skills", "tidy"]
    assert main(["list", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["unusable"] == []
    assert {row["package"] for row in data["workflows"]} == {"tidy", "skills"}
    assert main(["list", "--all"]) == 0
    everything = capsys.readouterr().out
    for row in data["workflows"]:
        line = f"  {row['name']}  {row['steps']} step"
        assert line in everything
        assert (line in shown) is not row["for_agents"]
        if not row["for_agents"]:
            assert read_call(find(row["name"]).workflow, Command.read(row["start"]).words).step == 1
    assert {row["name"] for row in data["workflows"] if row["for_agents"]} >= {"answer-question", "refactor-explore"}


@pytest.mark.parametrize("site", ["broken_site"], indirect=True)
def test_a_broken_skill_is_named_and_the_others_are_listed(site: str, capsys: Captured) -> None:
    assert main(["list"]) == 1
    data = capsys.readouterr()
    assert "problem-analysis" in data.out
    (torn,) = re.findall(r"^stepscript: rusty.torn .*\n  (.*)", data.err, re.MULTILINE)
    assert re.match(r".*/rusty/torn.py:3: ValueError: ", torn)
    assert main(["list", "--json"]) == 1
    broken = {(row["package"], row["home"]) for row in json.loads(capsys.readouterr().out)["unusable"]}
    assert broken == {("rusty", "rusty.torn"), ("rusty", "rusty.taken"), ("no_such_package", "no_such_package")}


def test_list_without_installed_packages_says_so(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lib.workflow.app.skills.packages.added", lambda _: {})
    assert main(["list"]) == 0
    assert capsys.readouterr().out.count("\n") == 1


def test_a_workflow_is_shown_with_its_steps_its_flags_and_how_to_start_it(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["show", "problem-analysis", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [node["id"] for node in data["nodes"]] == ["gate", "hypothesize", "investigate", "formulate", "output"]
    assert [(row["flag"], row["steps"], row["default"]) for row in data["parameters"]] == [
        ("--confidence", [3], None),
        ("--iteration", [3], 1),
    ]
    assert main(["show", "problem-analysis"]) == 0
    shown = capsys.readouterr().out
    assert data["start"] in shown
    for word in (
        *(node["title"] for node in data["nodes"]),
        *(row["flag"] for row in data["parameters"]),
        "iterate → 3",
    ):
        assert word in shown


def test_show_names_what_the_first_step_requires(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    only("tests.workflows", monkeypatch)
    assert main(["show", "desk"]) == 0
    shown = capsys.readouterr().out
    assert shown.endswith(" --state-dir\n")
    assert "tests.workflows.review.run" in shown
