"""Completion in shells: of commands, workflows, packages and formats."""

import shutil
import subprocess
from collections.abc import Callable

import pytest

from lib.workflow.app.main import COMMANDS, main
from lib.workflow.app.skills.words import words

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def completed(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> Callable[..., list[str]]:
    """Return bash's completions of the last of some words."""

    def complete(*words: str) -> list[str]:
        monkeypatch.setenv("_STEPSCRIPT_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(["stepscript", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        with pytest.raises(SystemExit):
            main([])
        return [line.partition(",")[2] for line in capsys.readouterr().out.splitlines()]

    return complete


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["sh"], "show"),
        (["show", "prob"], "problem-analysis"),
        (["step", "prob"], "problem-analysis"),
        (["validate", "sk"], "skills"),
        (["graph", "problem-analysis", "--format", "me"], "mermaid"),
        (["new", "x", "--package", "sk"], "skills"),
        (["completion", "z"], "zsh"),
    ],
)
def test_partial_word_is_completed(words: list[str], offered: str, completed: Callable[..., list[str]]) -> None:
    assert completed(*words) == [offered]


def test_without_a_word_every_command_is_offered(completed: Callable[..., list[str]]) -> None:
    assert sorted(completed("")) == sorted({*COMMANDS, *words()})


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_can_parse_its_completion_script(shell: str, capsys: Captured) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "_STEPSCRIPT_COMPLETE" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, encoding="utf-8", check=True)
