"""Law 7: a step that is run twice prints the same bytes."""

import os

import pytest

from lib.workflow.command import Command
from lib.workflow.render.text import render_text
from lib.workflow.render.xml import render
from tests.subjects import document_of, printed, run


@pytest.mark.parametrize("command", printed(), ids=str)
def test_a_step_prints_the_same_twice_and_in_any_process(command: Command) -> None:
    once, again = printed()[command], document_of(command)
    assert (render(once), render_text(once)) == (render(again), render_text(again))
    assert run(command, PYTHONHASHSEED="1").stdout == f"{render(once)}\n"


def test_no_step_leaves_anything_behind(tmp_path: os.PathLike[str]) -> None:
    for command in printed():
        result = run(command, cwd=str(tmp_path), HOME=str(tmp_path), TMPDIR=str(tmp_path), PYTHONDONTWRITEBYTECODE="1")
        assert result.returncode == 0
    assert not os.listdir(tmp_path)
