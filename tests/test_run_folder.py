"""The folder of a run: private, ignored by git, and never written through a link."""

import os
import re
import shlex
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.command import Command
from lib.workflow.errors import RefusedError
from lib.workflow.state.files import OddFileError, private_folder
from lib.workflow.state.run_dirs import IGNORED, place_of_runs
from lib.workflow.state.run_folder import make_run
from lib.workflow.testing.inprocess import run_here
from skills.planner.commands.beginning import init
from skills.planner.orchestrator.save_plan import save_plan
from skills.planner.state.run_state import RunState
from tests.subjects import ROOT
from tests.wording import coded

PLAN = ("skills.planner.cli.plan", "--state-dir")
DRIVE = ["rehearse", "problem-analysis", "why", "--keep", ".stepscript/runs/x"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return folder


def open_to_others(folder: Path) -> list[str]:
    paths = [folder, *folder.rglob("*")]
    return [str(path) for path in paths if not path.is_symlink() and stat.S_IMODE(path.lstat().st_mode) & 0o077]


def loosened(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)


def by_the_program(project: Path) -> None:
    assert main(DRIVE) == 0


def by_an_agent(project: Path) -> None:
    assert run_here(Command("skills.planner.orchestrator.planner", ("--step", "1", "--task", "x"))).status == 0


def by_a_command(project: Path) -> None:
    assert run_here(Command(PLAN[0], (PLAN[1], ".stepscript/runs/x", "init", "--task", "x"))).status == 0


def by_an_installation(project: Path) -> None:
    assert main(["install", "--agent", "claude", "--yes"]) == 0


BEGINNINGS = [by_the_program, by_an_agent, by_a_command, by_an_installation]


@pytest.mark.parametrize("begin", BEGINNINGS, ids=lambda begin: begin.__name__)
def test_run_folder_is_private_and_repaired_at_the_next_start(begin: Callable[[Path], None], project: Path) -> None:
    home = project / ".stepscript"
    begin(project)
    assert open_to_others(home) == []
    assert (home / ".gitignore").read_bytes() == IGNORED
    loosened(home)
    (home / ".gitignore").write_bytes(b"")
    begin(project)
    assert open_to_others(home / "runs") == [] if begin is not by_an_installation else open_to_others(home)
    assert (home / ".gitignore").read_bytes() == IGNORED


def test_any_command_that_changes_a_run_repairs_its_folder(project: Path) -> None:
    by_a_command(project)
    home = project / ".stepscript"
    loosened(home)
    (home / ".gitignore").unlink()
    words = (PLAN[1], ".stepscript/runs/x", "set-constraint", "--constraint", "MUST: y")
    ran = run_here(Command(PLAN[0], words))
    assert ran.status == 0, ran
    assert open_to_others(home / "runs") == []
    assert (home / ".gitignore").read_bytes() == IGNORED


def test_a_folder_that_its_user_made_keeps_its_mode_and_its_files(project: Path) -> None:
    (project / "mine").write_text("mine")
    (project / "mine").chmod(0o644)
    project.chmod(0o755)
    (project / ".gitignore").write_text("build/\n")
    init(str(project), "x", project_root=str(project))
    assert (stat.S_IMODE(project.stat().st_mode), stat.S_IMODE((project / "mine").stat().st_mode)) == (0o755, 0o644)
    assert (project / ".gitignore").read_text() == "build/\n"
    assert stat.S_IMODE((project / "run.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", [".stepscript", ".stepscript/runs"])
def test_run_behind_a_link_to_another_project_is_refused(name: str, project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / ".stepscript" / "runs"
    other.mkdir(parents=True)
    target = other if name.endswith("runs") else other.parent
    (project / name).parent.mkdir(exist_ok=True)
    (project / name).symlink_to(target)
    by_an_agent(project)
    assert place_of_runs().startswith(str(tmp_path / "state"))
    with pytest.raises(RefusedError, check=coded("linked-state")):
        make_run(str(project / ".stepscript" / "runs" / "x"))
    assert list(other.iterdir()) == []
    assert not (other.parent / ".gitignore").exists()


@pytest.mark.parametrize("name", [".stepscript", ".stepscript/runs", ".stepscript/runs/x"])
def test_trusting_a_run_of_another_project_through_a_link_is_refused(name: str, project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    init(str(other / ".stepscript/runs/x"), "x", project_root=str(other))
    (other / ".stepscript/runs/x/begun-here").unlink(missing_ok=True)
    (project / name).parent.mkdir(parents=True, exist_ok=True)
    (project / name).symlink_to(other / name)
    assert main(["trust", ".stepscript/runs/x", "--yes"]) == 1
    assert not (other / ".stepscript/runs/x/begun-here").exists()


def test_a_plan_is_not_saved_through_a_link_out_of_the_project(project: Path, tmp_path: Path) -> None:
    by_a_command(project)
    state_dir = str(project / ".stepscript" / "runs" / "x")
    run_here(Command(PLAN[0], (PLAN[1], state_dir, "render")))
    (tmp_path / "outside").mkdir()
    (project / "docs").symlink_to(tmp_path / "outside")
    with pytest.raises(RefusedError, check=coded("outside")):
        save_plan(RunState(state_dir))
    assert list((tmp_path / "outside").iterdir()) == []
    (project / "docs").unlink()
    (project / "papers").mkdir()
    (project / "docs").symlink_to(project / "papers")
    assert os.path.isfile(save_plan(RunState(state_dir)))


@pytest.mark.parametrize("what", ["link", "file"])
def test_a_private_folder_is_made_of_nothing_but_a_folder(what: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    (tmp_path / "file").touch()
    with pytest.raises(OddFileError if what == "link" else NotADirectoryError):
        private_folder(str(tmp_path / what))


@pytest.fixture
def full_disk(tmp_path: Path) -> Path:
    """Create a file system of 16 MB, which is full."""
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    return tmp_path


LITTLE = """
mount -t tmpfs -o size=2m none {folder} && cd {folder} && mkdir .git home && export HOME=$PWD/home
dd if=/dev/zero of=room bs=4k count={room} 2>/dev/null
dd if=/dev/zero of=filler bs=4k 2>/dev/null
rm room
{words}
echo status $?
find . -name '*.tmp'; find . -empty -name '*.json'
"""
FULL = """
mount -t tmpfs -o size=16m none {folder} && cd {folder} && mkdir .git home && export HOME=$PWD/home
dd if=/dev/zero of=filler bs=4k 2>/dev/null
{words}
echo status $?
rm filler
cat .stepscript/.gitignore 2>/dev/null; find . -name '*.tmp'
{words} >/dev/null; echo status $?; cat .stepscript/.gitignore
"""
COMMAND = "-m stepscript"
STARTS = [
    "-m skills.planner.orchestrator.planner --step 1 --task x",
    "-m skills.planner.cli.plan --state-dir .stepscript/runs/x init --task x",
    "STEPSCRIPT rehearse problem-analysis why --keep .stepscript/runs/x",
    "STEPSCRIPT rehearse planner why --keep .stepscript/runs/x",
    "STEPSCRIPT install --agent claude --yes",
]


@pytest.mark.parametrize("words", STARTS)
def test_a_full_disk_is_said_plainly_and_leaves_nothing_half_written(words: str, full_disk: Path) -> None:
    words = f"{shlex.quote(sys.executable)} -P {words.replace('STEPSCRIPT', COMMAND)}"
    script = FULL.format(folder=full_disk, words=words)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": ROOT}
    ran = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script], capture_output=True, env=environment, encoding="utf-8", check=False
    )
    said = ran.stdout + ran.stderr
    assert "No space left" in said
    assert "internal" not in said
    assert "Traceback" not in said
    assert "status 1\nstatus 0\n*\n" in ran.stdout, said


@pytest.mark.parametrize("words", [STARTS[3], "STEPSCRIPT rehearse incoherence x --keep x", STARTS[4]])
@pytest.mark.parametrize("room", [1, 3, 12, 20])
def test_a_disk_that_is_full_soon_is_said_plainly_too(words: str, room: int, full_disk: Path) -> None:
    words = f"{shlex.quote(sys.executable)} -P {words.replace('STEPSCRIPT', COMMAND)}"
    script = LITTLE.format(folder=full_disk, words=words, room=room)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": ROOT}
    ran = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script], capture_output=True, env=environment, encoding="utf-8", check=False
    )
    if "status 0" in ran.stdout:
        return
    assert ran.stdout.endswith("status 1\n")
    assert re.search(r"stepscript: /?[.\w].*: ", ran.stderr)
    assert re.search("No space left|unable to|failed to|couldn't", ran.stderr)
    assert "internal" not in ran.stderr
    assert "Traceback" not in ran.stderr
