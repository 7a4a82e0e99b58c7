"""The proof from the command line: what is wrong is named, and the exit status says so."""

import json
import os

import pytest

from lib.workflow.app.main import main
from lib.workflow.testing.findings import Fault
from tests.plugins.sites import HERE, only

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with faults, the only one installed."""
    monkeypatch.syspath_prepend(os.path.join(HERE, "faulty_project"))
    only("faulty", monkeypatch)


def test_a_sound_workflow_is_walked_to_every_end(capsys: Captured) -> None:
    assert main(["walk", "problem-analysis", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["findings"] == []
    known = {row["command"] for row in told["commands"]}
    assert known >= {*told["starts"], *(way for row in told["commands"] for way in row["next"])}
    assert {row["step"] for row in told["commands"] if not row["next"]} == {"output"}
    assert main(["walk", "problem-analysis"]) == 0
    assert capsys.readouterr().out.endswith(f"{len(known)} calls from 1 start: every way ends\n")


@pytest.mark.parametrize(
    ("name", "fault"), [("stuck", Fault.UNREACHED), ("crashing", Fault.BROKEN), ("flooding", Fault.LENGTH)]
)
def test_what_is_wrong_on_the_way_is_named(name: str, fault: Fault, faulty: None, capsys: Captured) -> None:
    assert main(["walk", name]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith(f"  {fault}: ") for line in lines)
    assert "finding" in lines[-1]
    assert main(["walk", name, "--json"]) == 1
    assert fault in {finding["fault"] for finding in json.loads(capsys.readouterr().out)["findings"]}


def test_calls_that_are_too_many_are_no_crash(faulty: None, capsys: Captured) -> None:
    assert main(["walk", "countless"]) == 2
    assert "narrow its parameters" in capsys.readouterr().err


def test_a_package_is_proved_whole(capsys: Captured) -> None:
    assert main(["validate", "tests.workflows.review", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["packages"], told["findings"], told["counts"]["workflows"]) == (["tests.workflows.review"], [], 1)
    assert told["counts"]["cases"] > 0
    assert told["counts"]["commands"] > 0


def test_a_package_with_a_fault_fails_by_name(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(os.path.join(HERE, "broken_site"))
    assert main(["validate", "rusty"]) == 1
    told = capsys.readouterr()
    assert told.out.startswith("rusty.torn\n  cannot be used: ValueError")
    assert told.out.endswith("1 finding\n")
    assert told.err == ""


def test_who_watches_is_told_what_is_being_tried(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.syspath_prepend(os.path.join(HERE, "site"))
    assert main(["validate", "tidy"]) == 0
    told = capsys.readouterr()
    assert "all in order" in told.out
    assert "processes: " in told.err
