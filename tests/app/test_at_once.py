"""Many processes of `stepscript` at once do not harm one another."""

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from lib.workflow.app.install.tree import Tree
from lib.workflow.app.install.work import uninstall
from lib.workflow.state.files import replace_whole
from lib.workflow.state.locks import at_once
from skills.planner.commands.beginning import init
from tests.scripts import STEPSCRIPT, environment

MANY = 16
RUN = ".stepscript/runs/x"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    init(str(folder / RUN), "limit requests", project_root=str(folder))
    return folder


def all_at_once(project: Path, every: Sequence[Sequence[str]]) -> Counter[tuple[int, str]]:
    processes = [
        subprocess.Popen(
            [sys.executable, "-P", "-m", STEPSCRIPT, *words],
            cwd=project,
            env=environment(project.parent),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for words in every
    ]
    return Counter((process.returncode, said) for process in processes for said in process.communicate()[1:])


@pytest.mark.parametrize(
    "words",
    [
        ("report", "--state-dir", RUN),
        ("install", "--agent", "claude", "--yes"),
        ("list",),
        ("gc", "--days", "0"),
        ("runs",),
    ],
    ids=lambda words: words[0],
)
def test_the_same_command_many_times_at_once_succeeds_each_time(words: Sequence[str], project: Path) -> None:
    assert all_at_once(project, [words] * MANY) == {(0, ""): MANY}
    assert [str(path) for path in project.rglob(".*.tmp")] == []


def test_installations_and_their_removal_at_once_leave_all_or_nothing(project: Path) -> None:
    every = [("install", "--agent", "claude", "--yes"), ("uninstall", "--yes")] * (MANY // 2)
    assert all_at_once(project, every) == {(0, ""): MANY}
    uninstall(Tree(str(project)))
    assert sorted(path.name for path in project.iterdir()) == [".git", ".stepscript"]


def test_a_page_that_is_being_written_is_not_taken_for_what_a_dead_process_left(tmp_path: Path) -> None:
    living, dead = tmp_path / ".page.1-a1.tmp", tmp_path / ".page.2-b2.tmp"
    other, named = tmp_path / ".page.x.3-c3.tmp", tmp_path / ".page.mine.tmp"
    for path in (living, dead, other, named):
        path.write_text("x")
    with living.open("r+b") as held:
        assert at_once(held.fileno())
        replace_whole(str(tmp_path / "page"), b"done")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([living.name, other.name, named.name, "page"])
