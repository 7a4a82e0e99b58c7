"""Places of runs: in their project, or else in the user's state folder; runs in both are found."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import Refusal
from lib.workflow.command import Command
from lib.workflow.errors import RefusedError
from lib.workflow.state.run_dirs import place_of_runs, run_folders, runs_folder, user_folder
from lib.workflow.testing.inprocess import run_here
from skills.planner.commands.beginning import init
from skills.planner.session import lines

STEP_1 = Command("skills.planner.orchestrator.planner", ("--step", "1", "--task", "limits"))


def a_file_in_its_place(project: Path) -> Path:
    (project / ".stepscript").write_text("")
    return project


def a_link_to_nothing(project: Path) -> Path:
    (project / ".stepscript").symlink_to(project / "gone")
    return project


def an_agents_worktree(project: Path) -> Path:
    """Create a worktree as one client does, below a folder that its sandbox protects."""
    tree = project / ".claude" / "worktrees" / "x"
    tree.mkdir(parents=True)
    (tree / ".git").write_text("gitdir: elsewhere\n")
    return tree


def not_ours_to_write(project: Path) -> Path:
    return project


@pytest.fixture(
    params=[a_file_in_its_place, a_link_to_nothing, an_agents_worktree, not_ours_to_write],
    ids=lambda make: make.__name__,
)
def closed(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a project in which no folder of runs can be made."""
    (tmp_path / "project" / ".git").mkdir(parents=True)
    make: Callable[[Path], Path] = request.param
    project = make(tmp_path / "project")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(project)
    if make is not_ours_to_write:
        monkeypatch.setattr("os.access", lambda path, _: not Path(path).is_relative_to(project))
    return project


def test_planner_starts_in_the_users_folder_and_its_run_is_found(
    closed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_here(STEP_1).status == 0
    (folder,) = run_folders()
    assert folder.startswith(user_folder())
    assert os.path.isfile(os.path.join(folder, "run.json"))
    assert run_here(STEP_1).status == 0
    assert run_folders() == [folder]
    assert folder in lines(str(closed))[1]
    assert main(["status", os.path.basename(folder)]) == 0
    assert "limits" in capsys.readouterr().out


def test_driven_run_starts_in_the_users_folder_and_is_removed_by_gc(
    closed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "problem-analysis", "x", "--agent", "sh -c 'exit 1'", "--attempts", "1"]) == 3
    (folder,) = run_folders()
    name = os.path.basename(folder)
    assert f"answer {name} 1" in capsys.readouterr().out
    assert main(["answer", name, "2", "--no-resume"]) == 0
    assert main(["resume"]) == 1
    assert main(["gc", "--days", "0"]) == 0
    assert run_folders() == []


def test_unwritable_run_folders_are_reported_before_anything_starts(closed: Path, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    with pytest.raises(RefusedError):
        place_of_runs()
    ran = run_here(STEP_1)
    (refusal,) = parse(ran.out).blocks
    assert isinstance(refusal, Refusal)
    assert (ran.status, refusal.code) == (1, "unwritable-state")
    assert runs_folder() in str(refusal)
    assert main(["run", "problem-analysis", "x", "--agent", "sh -c 'exit 1'"]) == 1


def test_another_project_of_the_same_name_has_other_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = set[str]()
    for parent in "ab":
        project = tmp_path / parent / "project"
        (project / ".git").mkdir(parents=True)
        (project / ".stepscript").write_text("")
        monkeypatch.chdir(project)
        places.add(place_of_runs())
    assert len(places) == 2


def test_folder_that_agents_cannot_write_is_refused_with_an_alternative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    tree = an_agents_worktree(tmp_path)
    monkeypatch.chdir(tree)
    with pytest.raises(RefusedError) as refused:
        init(str(tree / ".stepscript" / "runs" / "x"), "limits")
    assert place_of_runs() in refused.value.fix
    init(os.path.join(place_of_runs(), "x"), "limits")


@pytest.mark.parametrize("mark", [".git", ".stepscript"])
def test_project_marker_in_the_home_folder_is_ignored(
    mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / mark).mkdir()
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    assert runs_folder(str(folder)) == str(folder / ".stepscript" / "runs")
    assert runs_folder(str(tmp_path)) == str(tmp_path / ".stepscript" / "runs")
    (tmp_path / "a" / mark).mkdir()
    assert runs_folder(str(folder)) == str(tmp_path / "a" / ".stepscript" / "runs")
