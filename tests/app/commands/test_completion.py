"""A shell completes commands, workflows, packages and formats."""

import os
import shutil
import subprocess
import sys

import pytest

from lib.workflow.app.main import COMMANDS, main

STEPSCRIPT = os.path.join(os.path.dirname(sys.executable), "stepscript")


def completed(*words: str) -> list[str]:
    """What bash is told of the last word."""
    environment = {"COMP_WORDS": " ".join(["stepscript", *words]), "COMP_CWORD": str(len(words))}
    run = subprocess.run(
        [STEPSCRIPT],
        capture_output=True,
        check=True,
        encoding="utf-8",
        env={**os.environ, **environment, "_STEPSCRIPT_COMPLETE": "bash_complete"},
    )
    return [line.partition(",")[2] for line in run.stdout.splitlines()]


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
def test_a_word_that_has_begun_is_completed(words: list[str], offered: str) -> None:
    assert completed(*words) == [offered]


def test_without_a_word_every_command_is_offered() -> None:
    assert sorted(completed("")) == sorted(COMMANDS)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_one_that_it_reads(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "_STEPSCRIPT_COMPLETE" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, encoding="utf-8", check=True)
