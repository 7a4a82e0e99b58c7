"""Commands that packages bring: those of the skills here, and those of another package."""

import json
import os
from pathlib import Path

import pytest

from lib.workflow.app.main import COMMANDS, main
from lib.workflow.app.skills import words
from lib.workflow.command import Command
from lib.workflow.testing.inprocess import run_here
from lib.workflow.util.documents import SCHEMA
from skills.planner.commands.beginning import init
from tests.tables.found import TABLES, Found
from tests.wording import carries

Captured = pytest.CaptureFixture[str]
TOOL = '''
def main(words):
    """Bring the harvest in."""
    print(*words)
    return 3
'''


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Create a run of the planner in a project."""
    folder = tmp_path / ".stepscript" / "runs" / "mine"
    folder.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    init(str(folder), "add limits", project_root=str(tmp_path))
    return str(folder)


@pytest.fixture
def harvest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Register commands of another package: a sound one, a broken one, and one with the name of a built-in one."""
    (tmp_path / "harvesting.py").write_text(TOOL)
    (tmp_path / "broken_harvest.py").write_text("import no_such_module")
    monkeypatch.syspath_prepend(tmp_path)
    found = {"harvest": "harvesting:main", "spoilt": "broken_harvest:main", "list": "harvesting:main"}
    monkeypatch.setattr(words, "words", lambda: found)


@pytest.mark.parametrize("table", [found.table for found in TABLES if found.table.word], ids=lambda table: table.word)
def test_every_table_with_a_word_runs_by_it(table: object, capfd: Captured) -> None:
    word = str(getattr(table, "word", ""))
    assert main([word, "--help"]) == 0
    assert str(getattr(table, "description", "x")).split(".")[0] in " ".join(capfd.readouterr().out.split())


@pytest.mark.parametrize("found", [found for found in TABLES if found.table.word], ids=lambda found: found.table.word)
def test_help_of_a_word_names_what_was_typed_and_its_defaults(found: Found, capfd: Captured) -> None:
    table = found.table
    for name in ("", "batch", *table.rows):
        assert main([table.word, *name.split(), "--help"]) == 0
        said = capfd.readouterr().out
        assert said.startswith(f"usage: stepscript {table.word} ")
        assert table.module not in said
    for key in table.takes:
        assert table.options[key].required
        assert not table.as_word().offered[key].required


def test_next_prints_what_resume_prints(run: str, capfd: Captured) -> None:
    expected = run_here(Command("skills.planner.resume", ()))
    assert main(["next"]) == expected.status == 0
    assert capfd.readouterr().out == expected.out
    assert "--step 2" in expected.out


@pytest.mark.parametrize(
    "words", [["--json", "get"], ["get", "--json"], ["--json", "nope"], ["nope", "--json"]], ids=" ".join
)
def test_json_may_stand_anywhere_and_gives_one_object(words: list[str], run: str, capfd: Captured) -> None:
    status = main(["plan", *words])
    document = json.loads(capfd.readouterr().out)
    assert document["schema"] == SCHEMA
    assert ("error" in document) is (status != 0)


def test_default_that_does_not_exist_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["plan", "get"]) == 2
    assert carries(capfd.readouterr().err, "--state-dir … get")


def test_project_and_json_stand_before_the_words_of_a_command(
    run: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert main(["next", "-C", str(tmp_path), "--json"]) == 0
    assert "add limits" in json.dumps(json.loads(capfd.readouterr().out))
    assert os.getcwd() == str(tmp_path / "other")


@pytest.mark.parametrize("words", [["plan", "list"], ["plan", "--json", "list"]], ids=" ".join)
def test_commands_of_the_planner_mean_the_current_run(words: list[str], run: str, capfd: Captured) -> None:
    assert main(words) == 0
    without = capfd.readouterr().out
    place = 2 if words[1].startswith("--") else 1
    assert main([*words[:place], "--state-dir", run, *words[place:]]) == 0
    assert capfd.readouterr().out == without


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["plan", "list"], 2, "--state-dir"),
        (["review", "summary"], 2, "--state-dir"),
        (["next"], 1, '"no-run"'),
    ],
)
def test_commands_of_the_planner_say_that_no_run_is_there(
    words: list[str], status: int, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    (tmp_path / ".stepscript").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(words) == status
    said = capfd.readouterr()
    assert says in said.out + said.err


def test_wrong_usage_of_a_brought_command_is_json_on_request(run: str, capfd: Captured) -> None:
    assert main(["plan", "--state-dir", run, "no-such-command"]) == 2
    assert "no-such-command" in capfd.readouterr().err
    assert main(["plan", "--json", "--state-dir", run, "no-such-command"]) == 2
    assert "no-such-command" in json.loads(capfd.readouterr().out)["error"]["message"]


@pytest.mark.usefixtures("harvest")
def test_another_package_brings_commands(capfd: Captured) -> None:
    assert main(["harvest", "--deep", "x", "-C", "y"]) == 3
    assert capfd.readouterr().out == "--deep x -C y\n"
    assert main(["--help"]) == 0
    said = capfd.readouterr().out
    assert "harvest in." in said
    assert said.count("\n  list ") == 1


@pytest.mark.usefixtures("harvest")
def test_broken_command_of_a_package_is_refused_with_its_fault(capfd: Captured) -> None:
    assert main(["spoilt"]) == 1
    assert "no_such_module" in capfd.readouterr().err
    assert main(["list", "--help"]) == 0
    assert set(words.words()) & set(COMMANDS) == {"list"}
