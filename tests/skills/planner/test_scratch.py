"""The scratch copy: its files, the commits of differences, and the rebase of later ones."""

import os
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from lib.workflow.errors import RefusedError
from lib.workflow.state.git import Said, asked
from lib.workflow.state.locks import locked
from skills.planner.commands.scratch import counted
from skills.planner.execution import scratch
from skills.planner.execution.scratch import deltas, make_scratch, private_copy, record
from tests.wording import coded

TEN = "".join(f"line {number}\n" for number in range(10))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Create a project in git with a committed, an untracked and an ignored file, and a link that leads out."""
    root = tmp_path / "a project"
    root.mkdir()
    (root / "a.py").write_text(TEN)
    (root / ".gitignore").write_text("secret\n")
    asked(str(root), "init", "-q")
    asked(str(root), "add", "--all")
    (root / "new.py").write_text("new\n")
    (root / "secret").write_text("token\n")
    (tmp_path / "outside").write_text("outside\n")
    (root / "link").symlink_to(tmp_path / "outside")
    return root


@pytest.fixture
def copy(project: Path, tmp_path: Path) -> Path:
    """Make its scratch copy."""
    folder = tmp_path / "scratch"
    make_scratch(str(project), str(folder))
    return folder


def edit(copy: Path, file: str, old: str, new: str) -> None:
    path = copy / file
    path.write_text(path.read_text().replace(old, new) if path.exists() else new)


def changed(copy: Path) -> list[tuple[str, str]]:
    return [(delta.milestone, delta.file) for delta in deltas(str(copy))]


def test_copy_has_what_git_does_not_ignore_and_no_link_that_leads_out(copy: Path) -> None:
    assert sorted(os.listdir(copy)) == [".git", ".gitignore", "a.py", "new.py"]


def test_copy_is_made_once(project: Path, copy: Path) -> None:
    (copy / "a.py").write_text("work\n")
    make_scratch(str(project), str(copy))
    assert (copy / "a.py").read_text() == "work\n"


def test_folder_without_git_is_copied_without_its_environment(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    (root / ".venv").mkdir(parents=True)
    (root / ".venv" / "x").write_text("x")
    (root / "src").mkdir()
    (root / "src" / "a.py").write_text("a\n")
    copied = Path(private_copy(str(root)))
    assert sorted(str(path.relative_to(copied)) for path in copied.rglob("*.*") if ".git" not in path.parts) == [
        "src/a.py"
    ]


def test_each_milestone_is_one_commit_with_a_diff_for_each_file(copy: Path) -> None:
    edit(copy, "a.py", "line 1\n", "line one\n")
    edit(copy, "b.py", "", "b\n")
    record(str(copy), "M-001")
    edit(copy, "a.py", "line 8\n", "line eight\n")
    record(str(copy), "M-002")
    assert changed(copy) == [("M-001", "a.py"), ("M-001", "b.py"), ("M-002", "a.py")]
    first, created, second = (delta.diff for delta in deltas(str(copy)))
    assert "+line one\n" in first
    assert "+line one\n" not in second
    assert "--- /dev/null\n+++ b/b.py\n" in created


def test_recording_again_only_amends_the_commit_with_new_differences(copy: Path) -> None:
    edit(copy, "a.py", "line 1\n", "line one\n")
    record(str(copy), "M-001")
    before = deltas(str(copy))
    record(str(copy), "M-001")
    assert deltas(str(copy)) == before
    edit(copy, "a.py", "line 2\n", "line two\n")
    record(str(copy), "M-001")
    assert changed(copy) == [("M-001", "a.py")]
    assert "+line two\n" in deltas(str(copy))[0].diff


def test_difference_of_an_earlier_milestone_rebases_the_later_one(copy: Path) -> None:
    edit(copy, "a.py", "line 1\n", "line one\n")
    record(str(copy), "M-001")
    edit(copy, "a.py", "line 8\n", "line eight\n")
    record(str(copy), "M-002")
    edit(copy, "a.py", "line one\n", "# why\nline one\n")
    record(str(copy), "M-001")
    first, second = (delta.diff for delta in deltas(str(copy)))
    assert "+# why\n" in first
    assert "+# why\n" not in second
    assert "+line eight\n" in second


def test_difference_that_a_later_milestone_builds_on_is_refused_and_kept(copy: Path) -> None:
    edit(copy, "a.py", "line 1\n", "line one\n")
    record(str(copy), "M-001")
    edit(copy, "a.py", "line one\n", "line uno\n")
    record(str(copy), "M-002")
    before = deltas(str(copy))
    edit(copy, "a.py", "line uno\n", "line un\n")
    with pytest.raises(RefusedError, match=r"a\.py"):
        record(str(copy), "M-001")
    assert deltas(str(copy)) == before
    assert "line un\n" in (copy / "a.py").read_text()
    record(str(copy), "M-002")
    assert "+line un\n" in deltas(str(copy))[1].diff


def test_milestone_without_a_difference_keeps_its_place(copy: Path) -> None:
    record(str(copy), "M-001")
    edit(copy, "b.py", "", "b\n")
    record(str(copy), "M-002")
    edit(copy, "a.py", "line 1\n", "line one\n")
    record(str(copy), "M-001")
    assert changed(copy) == [("M-001", "a.py"), ("M-002", "b.py")]


class KilledError(BaseException):
    """The process was killed: nothing catches it."""


@pytest.fixture
def two_milestones(copy: Path) -> Path:
    """Record two milestones, and change a line for the first or the second."""
    edit(copy, "a.py", "line 1\n", "line one\n")
    record(str(copy), "M-001")
    edit(copy, "a.py", "line 8\n", "line eight\n")
    record(str(copy), "M-002")
    edit(copy, "a.py", "line 3\n", "line three\n")
    return copy


@pytest.mark.parametrize("milestone", ["M-001", "M-002", "M-003"])
def test_record_that_was_killed_before_any_of_its_steps_is_completed_by_the_next(
    two_milestones: Path, milestone: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole = tmp_path / "undisturbed"
    shutil.copytree(two_milestones, whole)
    record(str(whole), milestone)
    steps: Iterator[int] = count()
    last, real = 0, scratch._try

    def killed(folder: str, *words: str) -> Said:
        if next(steps) == last:
            raise KilledError
        return real(folder, *words)

    for last in range(20):
        copy = tmp_path / f"killed before step {last}"
        shutil.copytree(two_milestones, copy)
        steps = count()
        with monkeypatch.context() as patch:
            patch.setattr(scratch, "_try", killed)
            try:
                record(str(copy), milestone)
                break
            except KilledError:
                pass
        record(str(copy), milestone)
        assert deltas(str(copy)) == deltas(str(whole))
    assert 3 < last < 19


def test_rebase_that_was_killed_leaves_the_copy_as_it_was(
    two_milestones: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = str(two_milestones)
    edit(two_milestones, "a.py", "line eight\n", "line 8.0\n")
    before, written = deltas(copy), (two_milestones / "a.py").read_text()
    real = scratch._try

    def killed(folder: str, *words: str) -> Said:
        if "--diff-filter=U" in words:
            raise KilledError
        return real(folder, *words)

    monkeypatch.setattr(scratch, "_try", killed)
    with pytest.raises(KilledError):
        record(copy, "M-001")
    monkeypatch.setattr(scratch, "_try", real)
    assert deltas(copy) == before
    assert (two_milestones / "a.py").read_text() == written
    record(copy, "M-002")
    assert "+line 8.0\n" in deltas(copy)[-1].diff


def test_lock_of_a_git_that_was_killed_is_removed(two_milestones: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch, "SOON", 0)
    (two_milestones / ".git" / "index.lock").touch()
    record(str(two_milestones), "M-002")
    assert "+line three\n" in deltas(str(two_milestones))[-1].diff


def test_lines_that_look_like_a_header_are_counted(copy: Path) -> None:
    edit(copy, "a.py", "line 1\n", "Title\n+++++\n")
    record(str(copy), "M-001")
    assert counted(deltas(str(copy))[0].diff) == "+2 -1"


def test_record_waits_for_another_only_so_long(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch, "WAIT", 0)
    with locked(str(copy / ".git" / "record.lock"), 0), pytest.raises(RefusedError, check=coded("scratch")):
        record(str(copy), "M-001")
    record(str(copy), "M-001")
