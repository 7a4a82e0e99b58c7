"""Conventions that every command keeps: its help, its project, its JSON, its exit statuses."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from lib.workflow.app.main import main, stepscript
from lib.workflow.app.output.screen import count
from lib.workflow.util.documents import SCHEMA

Captured = pytest.CaptureFixture[str]
START = ("run", "problem-analysis", "It hangs at noon", "--attempts", "1", "--agent", "sh -c 'exit 3'")


CONTEXT = click.Context(stepscript, info_name="stepscript", **stepscript.context_settings)


def commands() -> Iterator[click.Command]:
    """Yield every command of the program, loaded as for a call."""
    ctx = CONTEXT
    for name in stepscript.list_commands(ctx):
        command = stepscript.get_command(ctx, name)
        assert command is not None
        yield command


COMMANDS = tuple(commands())


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with a run that waits, while the process works in another folder."""
    for name in ("project/.stepscript", "other/.stepscript"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")
    assert main(START) == 3
    monkeypatch.chdir(tmp_path / "other")
    return tmp_path / "project"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command.name))
def test_every_command_has_the_options_of_all_commands(command: click.Command) -> None:
    spelled = {param.opts[0]: set(param.opts) for param in command.params if isinstance(param, click.Option)}
    assert {"-C", "--project"} in spelled.values()
    assert "--json" in spelled


@pytest.mark.parametrize("words", [[], *([str(command.name)] for command in COMMANDS)], ids=" ".join)
def test_short_help_is_the_long_one(words: list[str], capfd: Captured) -> None:
    printed = [(main([*words, flag]), capfd.readouterr().out) for flag in ("-h", "--help")]
    assert printed[0] == printed[1]
    assert printed[0][0] == 0


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command.name))
def test_wrong_usage_is_one_json_object_if_json_is_asked_for(command: click.Command, capsys: Captured) -> None:
    assert main([str(command.name), "--json", "--no-such-option", *"abcdefgh"]) == 2
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert (document["schema"], document["error"]["status"], document["error"]["code"]) == (SCHEMA, 2, "usage")
    assert document["error"]["message"]
    assert (said.err, said.out.count("\n")) == ("", 1)


def test_refusal_names_code_target_and_fix_in_json(elsewhere: Path, capsys: Captured) -> None:
    (elsewhere / ".stepscript" / "runs").rename(elsewhere / "runs")
    (run,) = os.listdir(elsewhere / "runs")
    capsys.readouterr()
    assert main(["cancel", str(elsewhere / "runs" / run), "--json"]) == 1
    error = json.loads(capsys.readouterr().out)["error"]
    assert (error["status"], error["code"]) == (1, "not-yours")
    assert error["target"] == str(elsewhere / "runs" / run)
    assert "trust" in error["fix"]


@pytest.mark.parametrize("words", [["runs"], ["status"], ["gc", "--dry-run"], ["logs"], ["stats", "RUN"]], ids=" ".join)
def test_every_json_object_has_the_version_of_the_format(words: list[str], elsewhere: Path, capsys: Captured) -> None:
    (run,) = os.listdir(elsewhere / ".stepscript" / "runs")
    capsys.readouterr()
    assert main([run if word == "RUN" else word for word in words] + ["--json", "-C", str(elsewhere)]) == 0
    printed = capsys.readouterr().out
    objects = [printed] if printed.startswith("{\n") else printed.splitlines()
    assert objects
    assert {json.loads(each)["schema"] for each in objects} == {SCHEMA}


def test_project_option_works_as_if_started_there(elsewhere: Path, capsys: Captured) -> None:
    (run,) = os.listdir(elsewhere / ".stepscript" / "runs")
    here = os.getcwd()
    capsys.readouterr()
    assert main(["runs"]) == 0
    assert run not in capsys.readouterr().out
    for flag in ("-C", "--project"):
        assert main(["status", flag, str(elsewhere)]) == 0
        assert f"answer -C {elsewhere} {run} 1" in capsys.readouterr().out
    assert os.getcwd() == here
    assert main(["runs", "-C", str(elsewhere / "gone")]) == 2


@pytest.mark.parametrize(("number", "says"), [(0, "0 steps"), (1, "1 step"), (2, "2 steps"), (1000, "1,000 steps")])
def test_one_is_singular(number: int, says: str) -> None:
    assert count(number, "step") == says
