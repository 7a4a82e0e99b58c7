"""Commands that install: their reports, and their exit status if something is not in order."""

import json
from pathlib import Path

import pytest

from lib.workflow.app.main import main

Captured = pytest.CaptureFixture[str]
SKILL = ".claude/skills/planner/SKILL.md"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a repository, and enter a folder within it."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "src").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(folder / "src")
    return folder


def test_exit_status_reports_whether_the_installation_is_in_order(project: Path) -> None:
    assert main(["install", "--check"]) == 1
    assert main(["install", "--dry-run"]) == 0
    assert not (project / SKILL).exists()
    assert main(["install", "--agent", "claude"]) == 0
    assert main(["install", "--check"]) == 0
    (project / SKILL).write_text("mine\n")
    assert main(["install", "--check"]) == 1
    assert main(["install"]) == 1
    assert main(["uninstall", "--dry-run"]) == 1
    assert main(["uninstall"]) == 1
    assert (project / SKILL).read_text() == "mine\n"


@pytest.mark.parametrize("scope", ["project", "user"])
def test_json_lists_every_installed_file(scope: str, project: Path, capsys: Captured) -> None:
    assert main(["install", "--scope", scope, "--agent", "claude", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["folder"] == str(project if scope == "project" else project.parent)
    assert {file["kind"] for file in data["files"]} == {"new"}
    assert all(Path(file["path"]).is_file() for file in data["files"])


def test_diff_of_a_changed_file_has_its_control_characters_escaped(project: Path, capsys: Captured) -> None:
    assert main(["install", "--agent", "claude"]) == 0
    (project / SKILL).write_text("\x1b]0;title\x07 mine\n")
    assert main(["install"]) == 1
    data = capsys.readouterr().out
    assert "\x1b" not in data
    assert "mine" in data


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["install", "--agent", "cladue"], "claude"),
        (["install", "--scope", "user", "--project", "."], "--project"),
        (["uninstall", "--project", "nowhere"], "nowhere"),
        (["bundle", "--source", "a b; c", "new"], "--source"),
    ],
)
def test_a_wrong_word_is_named(words: list[str], named: str, project: Path, capsys: Captured) -> None:
    assert main(words) == 2
    assert named in capsys.readouterr().err


def test_a_bundle_goes_into_a_new_folder_only(project: Path, capsys: Captured) -> None:
    assert main(["bundle", "new", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert all((Path(data["folder"]) / file).is_file() for file in data["files"])
    assert {"plugin.json", "hooks/hooks.json", "LICENSE"} <= {*data["files"]}
    assert main(["bundle", "new"]) == 1
    assert main(["bundle", "other"]) == 0


def test_doctor_exit_status_reports_whether_something_is_wrong(project: Path, capsys: Captured) -> None:
    assert main(["doctor"]) == 1
    assert "stepscript install" in capsys.readouterr().out
    assert main(["install", "--agent", "claude"]) == 0
    capsys.readouterr()
    assert main(["doctor", "--json"]) == 0
    assert {finding["state"] for finding in json.loads(capsys.readouterr().out)["findings"]} <= {"good", "note"}
