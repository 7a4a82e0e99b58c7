"""A run is identified by its folder and a number of its own, not by a path."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lib.workflow.run.processes import orphans as leftovers


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Create the folder of a run's agents."""
    made = tmp_path / "run" / "agents"
    made.mkdir(parents=True)
    return made


def test_run_has_the_same_mark_by_every_path_and_after_a_move(folder: Path) -> None:
    mark = leftovers.mark_of(str(folder))
    link = folder.parent.with_name("link")
    link.symlink_to(folder.parent)
    assert leftovers.mark_of(f"{link}/agents") == leftovers.mark_of(f"{folder}/../agents/") == mark
    moved = folder.parent.rename(folder.parent.with_name("moved"))
    assert leftovers.mark_of(str(moved / "agents")) == mark


def test_copy_has_another_mark(folder: Path) -> None:
    mark = leftovers.mark_of(str(folder))
    assert leftovers.mark_of(str(shutil.copytree(folder, folder.with_name("copy")))) != mark


def test_run_that_replaces_a_deleted_one_has_another_mark(folder: Path) -> None:
    mark = leftovers.mark_of(str(folder))
    os.unlink(folder / leftovers.MARK)  # the same folder: a new one may have the number of the old one
    assert leftovers.mark_of(str(folder)) != mark


@pytest.mark.parametrize("left", [b"", b"ab"])
def test_number_that_a_power_loss_has_cut_is_replaced(left: bytes, folder: Path) -> None:
    (folder / leftovers.MARK).write_bytes(left)
    mark = leftovers.mark_of(str(folder))
    assert len((folder / leftovers.MARK).read_bytes()) == leftovers.SIZE
    assert leftovers.mark_of(str(folder)) == mark


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="the system shows no environments")
def test_only_processes_of_the_run_are_ended(folder: Path) -> None:
    mark = leftovers.mark_of(str(folder))

    def sleeper(value: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(["sleep", "600"], env={**os.environ, leftovers.VARIABLE: value})

    with sleeper(mark) as own, sleeper(f"{mark}0") as other:
        leftovers.end(leftovers.VARIABLE, mark)
        assert own.wait(10) < 0
        assert other.poll() is None
        other.kill()
