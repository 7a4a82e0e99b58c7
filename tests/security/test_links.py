"""Files behind a link belong to another project: they are neither written nor deleted, at any level of the path."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.app.main import main
from lib.workflow.command import Command
from lib.workflow.errors import RefusedError
from lib.workflow.state.run_dirs import inside, place_of_runs, user_folder
from lib.workflow.state.run_folder import make_run
from lib.workflow.testing.inprocess import run_here
from skills.planner.modules import PLAN, PLANNER
from skills.planner.orchestrator.save_plan import save_plan
from skills.planner.state.files import change_run
from skills.planner.state.run_state import RunState
from tests.wording import coded

NAME = "0101-aaaa"


@pytest.fixture
def victim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create another project of the same user, with a run that ended long ago."""
    folder = tmp_path / "victim"
    run = folder / ".stepscript" / "runs" / NAME
    run.mkdir(parents=True)
    monkeypatch.chdir(folder)
    words = ("--state-dir", str(run), "init", "--task", "limits")
    assert run_here(Command(PLAN, words)).status == 0
    change_run(str(run), lambda held: evolve(held, finished=True))
    for path in (run, *run.iterdir()):
        os.utime(path, (0, 0))
    return folder


@pytest.fixture
def project(tmp_path: Path, victim: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def home(project: Path, victim: Path) -> None:
    (project / ".stepscript").symlink_to(victim / ".stepscript")


def runs(project: Path, victim: Path) -> None:
    (project / ".stepscript").mkdir()
    (project / ".stepscript" / "runs").symlink_to(victim / ".stepscript" / "runs")


def run(project: Path, victim: Path) -> None:
    (project / ".stepscript" / "runs").mkdir(parents=True)
    (project / ".stepscript" / "runs" / NAME).symlink_to(victim / ".stepscript" / "runs" / NAME)


def contents(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize("link", [home, runs, run])
def test_nothing_behind_a_link_is_deleted_or_written(
    link: Callable[[Path, Path], None], project: Path, victim: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link(project, victim)
    before = contents(victim)
    folder = f".stepscript/runs/{NAME}"
    assert main(["gc", "--days", "0"]) == 0
    assert f"{NAME} " in capsys.readouterr().out
    assert main(["report", "--state-dir", folder]) == 1
    assert main(["rehearse", "problem-analysis", "--keep", folder]) == 1
    for words in (("init", "--task", "limits"), ("set-decision", "--decision", "x", "--reasoning", "y"), ("render",)):
        ran = run_here(Command(PLAN, ("--state-dir", folder, *words)))
        assert (ran.status, "linked-state" in ran.out) == (1, True)
    agent = ("--agent", "sh -c 'exit 1'", "--attempts", "1")
    assert main(["run", "executor", "--set", f"state_dir={folder}", *agent]) == 1
    assert run_here(Command(PLANNER, ("--step", "1", "--task", "limits"))).status == 0
    assert main(["run", "problem-analysis", "x", *agent]) == 3
    assert contents(victim) == before
    with pytest.raises(RefusedError, check=coded("linked-state")):
        make_run(folder)


@pytest.mark.parametrize("link", [home, runs])
def test_runs_start_in_the_users_folder_if_the_project_links_out(
    link: Callable[[Path, Path], None], project: Path, victim: Path
) -> None:
    link(project, victim)
    assert place_of_runs().startswith(user_folder())


@pytest.mark.parametrize("linked", ["docs", "docs/plans", "docs/plans/run.md"])
def test_plan_is_not_saved_behind_a_link(linked: str, project: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("theirs")
    state = str(project / ".stepscript" / "runs" / "run")
    assert run_here(Command(PLAN, ("--state-dir", state, "init", "--task", "limits"))).status == 0
    Path(state, "plan.md").write_text("# Plan\n")
    path = project / linked
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(outside / "file" if linked.endswith(".md") else outside)
    before = contents(outside)
    with pytest.raises(RefusedError, check=coded("outside")):
        save_plan(RunState(state))
    assert contents(outside) == before
    path.unlink()
    assert Path(save_plan(RunState(state))).read_text() == "# Plan\n"


def test_a_link_within_the_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "docs").symlink_to("real")
    assert inside(str(tmp_path), "docs", "x.md") == str(tmp_path / "docs" / "x.md")
    with pytest.raises(RefusedError):
        inside(str(tmp_path), "docs", "..", "..", "x.md")


def test_an_output_file_that_is_a_link_is_not_followed(project: Path, tmp_path: Path) -> None:
    state = project / ".stepscript" / "runs" / "run"
    assert run_here(Command(PLAN, ("--state-dir", str(state), "init", "--task", "limits"))).status == 0
    (tmp_path / "theirs").write_text("theirs")
    for name in ("report.html", "plan.md"):
        (state / name).symlink_to(tmp_path / "theirs")
    assert main(["report", "--state-dir", str(state)]) == 1
    assert run_here(Command(PLAN, ("--state-dir", str(state), "render"))).status in (0, 1)
    assert (tmp_path / "theirs").read_text() == "theirs"
    shutil.rmtree(state)
