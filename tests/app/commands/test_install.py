"""Commands that install: their reports, and their exit status if something is not in order."""

import io
import json
import os
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from tests.wording import carries

Captured = pytest.CaptureFixture[str]
SKILL = ".claude/skills/planner/SKILL.md"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a repository, and enter a folder within it."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "src").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.chdir(folder / "src")
    return folder


def test_exit_status_reports_whether_the_installation_is_in_order(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["install", "--agent", "claude", "--check"]) == 1
    assert main(["install", "--agent", "claude", "--dry-run"]) == 0
    assert not (project / SKILL).exists()
    assert main(["install", "--agent", "claude", "--yes"]) == 0
    assert main(["install", "--check"]) == 0
    (project / SKILL).write_text("mine\n")
    assert main(["install", "--check"]) == 0
    assert main(["install"]) == 0
    monkeypatch.setattr("lib.workflow.app.install.wanted.NOTE", "Another version.")
    assert main(["install", "--check"]) == 1
    assert main(["install", "--yes"]) == 1
    assert main(["install", "--yes", "--ours"]) == 0
    assert main(["install", "--check"]) == 0
    assert main(["uninstall", "--dry-run"]) == 1
    assert main(["uninstall", "--yes"]) == 1
    assert (project / SKILL).read_text() == "mine\n"


@pytest.mark.parametrize("scope", ["project", "user"])
def test_json_lists_every_installed_file(scope: str, project: Path, capsys: Captured) -> None:
    assert main(["install", "--scope", scope, "--agent", "claude", "--yes", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["folder"] == str(project if scope == "project" else project.parent / "home")
    assert {file["kind"] for file in data["files"]} == {"new"}
    assert all(Path(file["path"]).is_file() for file in data["files"])


def test_diff_of_a_changed_file_has_its_control_characters_escaped(project: Path, capsys: Captured) -> None:
    (project / SKILL).parent.mkdir(parents=True)
    (project / SKILL).write_text("\x1b]0;title\x07 mine\n")
    assert main(["install", "--agent", "claude", "--yes"]) == 1
    data = capsys.readouterr().out
    assert "\x1b" not in data
    assert "mine" in data


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["install", "--agent", "cladue"], "claude"),
        (["install", "--scope", "user", "--project", "."], "--project"),
        (["install", "--agent", "claude", "--skill", "planer"], "'planner'"),
        (["install", "--agent", "claude", "--prefix", "My"], "lower-case"),
        (["uninstall", "--project", "nowhere"], "nowhere"),
        (["bundle", "--source", "a b; c", "new"], "--source"),
    ],
)
def test_a_wrong_word_is_named(words: list[str], named: str, project: Path, capsys: Captured) -> None:
    assert main(words) == 2
    assert named in capsys.readouterr().err


def test_a_bundle_goes_into_a_new_folder_only(project: Path, capsys: Captured) -> None:
    assert main(["bundle", "new", "--source", "stepscript", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert all((Path(data["folder"]) / file).is_file() for file in data["files"])
    assert {"plugin.json", "hooks/hooks.json", "LICENSE"} <= {*data["files"]}
    assert main(["bundle", "new", "--source", "stepscript"]) == 1
    assert main(["bundle", "other", "--source", "stepscript"]) == 0


def test_doctor_exit_status_reports_whether_something_is_wrong(project: Path, capsys: Captured) -> None:
    assert main(["doctor"]) == 1
    assert "stepscript install" in capsys.readouterr().out
    assert main(["install", "--agent", "claude", "--yes"]) == 0
    capsys.readouterr()
    assert main(["doctor", "--json"]) == 0
    assert {finding["state"] for finding in json.loads(capsys.readouterr().out)["findings"]} <= {"good", "note"}


@pytest.mark.parametrize("sign", ["bin/codex", "project/.codex/", "home/.codex/"])
def test_without_names_the_clients_that_are_here_get_the_skills(sign: str, project: Path) -> None:
    place = project.parent / sign
    place.parent.mkdir(exist_ok=True)
    if sign.endswith("/"):
        place.mkdir()
    else:
        place.write_text("#!/bin/sh\n")
        place.chmod(0o755)
    assert main(["install", "--yes"]) == 0
    assert (project / ".agents/skills/planner/SKILL.md").exists()
    assert not (project / ".claude").exists()


def test_without_a_client_nothing_is_written_and_the_names_are_listed(project: Path, capsys: Captured) -> None:
    assert main(["install", "--yes"]) == 1
    assert "--agent claude" in capsys.readouterr().err
    assert sorted(os.listdir(project)) == [".git", "src"]


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_plan_is_shown_and_needs_consent(
    command: str, project: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command == "uninstall":
        assert main(["install", "--agent", "claude", "--yes"]) == 0
        assert main(["uninstall", "--dry-run"]) == 0
    words = [command, *(["--agent", "claude"] if command == "install" else [])]
    before = (project / SKILL).exists()
    capsys.readouterr()
    assert main(words) == 1
    shown = capsys.readouterr()
    assert ".claude/skills/" in shown.out
    assert "--yes" in shown.err
    assert (project / SKILL).exists() is before
    for answer, status in (("n\n", 130), ("y\n", 0)):
        monkeypatch.setattr("sys.stdin", Terminal(answer))
        assert main(words) == status
        assert (project / SKILL).exists() is (before is (status == 130))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["uninstall", "--yes"]) == 0
    assert main(["uninstall"]) == 0  # nothing is left that needs consent


@pytest.mark.parametrize("words", [["install", "--agent", "claude"], ["uninstall"]], ids=" ".join)
@pytest.mark.parametrize("given", ["", "y\n"], ids=["without a terminal", "at a terminal"])
def test_json_asks_nobody_and_prints_one_object(
    words: list[str], given: str, project: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    if words == ["uninstall"]:
        assert main(["install", "--agent", "claude", "--yes"]) == 0
    monkeypatch.setattr("sys.stdin", Terminal(given) if given else io.StringIO())
    capsys.readouterr()
    assert main([*words, "--json"]) == 1
    error = json.loads(capsys.readouterr().out)["error"]
    assert (error["code"], error["target"]) == ("unconfirmed", str(project))
    assert "--yes" in error["fix"]


class Terminal(io.StringIO):
    """Standard input that a person types at."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("place", ["home", "/"])
def test_the_root_and_the_home_folder_are_no_projects(place: str, project: Path, capsys: Captured) -> None:
    folder = str(project.parent / place)
    assert main(["install", "--agent", "claude", "--yes", "--project", folder]) == 1
    assert f"{folder}: " in capsys.readouterr().err
    assert not (Path(folder) / ".stepscript").exists()


def test_project_that_the_user_cannot_write_is_refused_before_anything_is_asked(
    project: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_, **__: False)
    assert main(["install", "--agent", "claude"]) == 1
    assert carries(capsys.readouterr().err, f"{project}: … --scope user")
    assert main(["install", "--agent", "claude", "--dry-run"]) == 0


def test_chosen_skills_and_their_prefix_last_until_others_are_chosen(project: Path) -> None:
    def named() -> set[str]:
        return set(os.listdir(project / ".claude/skills"))

    first = ["install", "--agent", "claude", "--yes"]
    assert main([*first, "--skill", "deepthink", "--prefix", "my-"]) == 0
    assert named() == {"my-deepthink"}
    assert "name: my-deepthink\n" in (project / ".claude/skills/my-deepthink/SKILL.md").read_text()
    assert "SessionStart" not in (project / ".claude/settings.local.json").read_text()
    assert main([*first, "--skill", "planner"]) == 0
    assert named() == {"my-deepthink", "my-planner"}
    assert "SessionStart" in (project / ".claude/settings.local.json").read_text()
    assert main([*first, "--prefix", ""]) == 0
    assert named() == {"deepthink", "planner"}
    assert main(["install", "--check"]) == 0
