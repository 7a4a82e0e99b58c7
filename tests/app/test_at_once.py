"""Many processes of `stepscript` at once do not harm one another."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from lib.workflow.app.install.tree import Tree
from lib.workflow.app.install.work import uninstall
from lib.workflow.state.files import replace_whole
from lib.workflow.state.locks import at_once
from skills.planner.commands.beginning import init
from tests.scripts import STEPSCRIPT, environment
from tests.warm import Warm

MANY = 16
RUN = ".stepscript/runs/x"
COMMANDS = (
    ("report", "--state-dir", RUN),
    ("install", "--agent", "claude", "--yes"),
    ("list",),
    ("gc", "--days", "0"),
    ("runs",),
)


def begun(folder: Path) -> Path:
    """Return a project with a run."""
    folder = folder / "project"
    (folder / ".git").mkdir(parents=True)
    init(str(folder / RUN), "limit requests", project_root=str(folder))
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return begun(tmp_path)


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warm]:
    """Return a process that has the modules of each command."""
    project = begun(tmp_path_factory.mktemp("warm"))
    with Warm() as process:
        for words in COMMANDS:
            process.learn(process.start((STEPSCRIPT, *words), environment(project.parent), cwd=str(project)).ended())
        yield process


def all_at_once(warm: Warm, project: Path, every: Sequence[Sequence[str]]) -> Counter[tuple[int, str]]:
    home = environment(project.parent)
    started = [warm.start((STEPSCRIPT, *words), home, cwd=str(project)) for words in every]
    return Counter((came.status, came.errors) for came in [each.ended() for each in started])


@pytest.mark.parametrize(
    "words",
    COMMANDS,
    ids=lambda words: words[0],
)
def test_the_same_command_many_times_at_once_succeeds_each_time(
    words: Sequence[str], warm: Warm, project: Path
) -> None:
    assert all_at_once(warm, project, [words] * MANY) == {(0, ""): MANY}
    assert [str(path) for path in project.rglob(".*.tmp")] == []


def test_installations_and_their_removal_at_once_leave_all_or_nothing(warm: Warm, project: Path) -> None:
    every = [("install", "--agent", "claude", "--yes"), ("uninstall", "--yes")] * (MANY // 2)
    assert all_at_once(warm, project, every) == {(0, ""): MANY}
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
