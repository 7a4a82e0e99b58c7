"""Commands are found in a page's texts by the parser of commands, however the interpreter is written."""

import pytest

from lib.workflow.command import LAUNCHER_VARIABLE, Command
from lib.workflow.testing.shown import shown

COMMAND = ("skills.planner.cli.plan", ("--state-dir", "/a b/é", "validate"))


@pytest.mark.parametrize(
    "launcher", ["", "python3 -I", "'/My Docs/python' -P", "env A=b '/p '\"'\"'q/python' -I", "uv run python"]
)
@pytest.mark.parametrize("text", ["Run this:\n\n    {}\n\nThen look.", "Run `{}` and look.", "`{}`"])
def test_a_command_is_found_whatever_starts_it(launcher: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LAUNCHER_VARIABLE, launcher)
    command = Command(*COMMAND)
    assert list(shown(text.format(command))) == [command]


@pytest.mark.parametrize("text", ["", "Use python3 -m json.tool for it.", "`python3 -m`", "it's -m here", "`a` -m `b`"])
def test_prose_is_no_command(text: str) -> None:
    assert list(shown(text)) == []
