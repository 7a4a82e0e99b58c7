"""A plan's diffs, tried on a project."""

import difflib
import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from attrs import evolve

from skills.planner.diffs.copies import MAX_FILE
from skills.planner.diffs.trial import in_order, tried
from skills.planner.schema.plan.document import Plan, Wave
from skills.planner.schema.plan.milestone import CodeChange, Milestone
from tests.wording import carries

FILE = "src/a.py"
TEXT = "".join(f"line {number}\n" for number in range(1, 30))


def change(number: int, old: str, new: str, file: str = FILE, *, milestone: str = "M-001") -> CodeChange:
    """Return the change from one text to the other; an empty text means no file."""
    names = (f"a/{file}" if old else "/dev/null", f"b/{file}" if new else "/dev/null")
    lines = difflib.unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), *names)
    diff = "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    return CodeChange(id=f"CC-{milestone}-{number:03d}", file=file, diff=diff)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project" / "src").mkdir(parents=True)
    (tmp_path / "project" / FILE).write_text(TEXT)
    return tmp_path / "project"


def said(project: Path, *changes: CodeChange) -> list[tuple[str, str]]:
    return [(finding.id, finding.message) for finding in tried(changes, str(project))]


SECOND = TEXT.replace("line 3\n", "line three\n")
THIRD = SECOND.replace("line three\n", "line III\n").replace("line 25\n", "")


def test_each_diff_is_tried_on_what_those_before_it_leave(project: Path) -> None:
    assert said(project, change(1, TEXT, SECOND), change(2, SECOND, THIRD), change(3, THIRD, "")) == []
    assert said(project, change(1, "", "new\n", "b.py"), change(2, "new\n", "newer", "b.py")) == []


def test_failed_diff_is_reported_with_change_hunk_line_and_difference(project: Path) -> None:
    wrong = SECOND.replace("line 24", "line twenty-four")
    [(name, message)] = said(
        project,
        change(1, TEXT, SECOND),
        change(2, wrong, wrong.replace("III", "3").replace("line 25\n", "").replace("three", "3")),
    )
    assert name == "CC-M-001-002"
    assert "hunk 2, line 11 " in message
    assert carries(message, "24 … reads 'line 24' … 'line twenty-four'")


def test_only_diffs_that_build_on_a_failed_one_are_skipped(project: Path) -> None:
    faults = said(project, change(1, SECOND, THIRD), change(2, THIRD, TEXT), change(3, "x\n", "y\n", "none.py"))
    assert [name for name, _ in faults] == ["CC-M-001-001", "CC-M-001-002", "CC-M-001-003"]
    assert "CC-M-001-001" in faults[1][1]


ODD = ["with blank.py", "it's $HOME.py", 'a"b".py', "größe/数.py", "-R", "--unsafe-paths"]


@pytest.mark.parametrize("file", ODD)
def test_file_may_have_any_name(project: Path, file: str) -> None:
    assert said(project, change(1, "", TEXT, file), change(2, TEXT, SECOND, file), change(3, SECOND, "", file)) == []


def test_line_ends_count(project: Path) -> None:
    (project / FILE).write_bytes(TEXT.replace("\n", "\r\n").encode())
    assert said(project, change(1, TEXT.replace("\n", "\r\n"), SECOND.replace("\n", "\r\n"))) == []
    [(_, message)] = said(project, change(1, TEXT, SECOND))
    assert r"'line 1\r'" in message


def links(project: Path) -> None:
    (project / "file.py").symlink_to("/etc/passwd")
    (project / "folder").symlink_to("/etc")
    (project / "pipe").mkdir()
    os.mkfifo(project / "fifo")


@pytest.mark.parametrize("file", ["file.py", "folder/passwd", "pipe", "fifo", "none.py", "src/a.py/b"])
def test_path_that_is_not_a_plain_project_file_is_refused(project: Path, file: str) -> None:
    links(project)
    assert len(said(project, change(1, "root\n", "x\n", file))) == 1


def test_a_file_too_large_to_try_is_refused(project: Path) -> None:
    with (project / FILE).open("ab") as file:
        file.truncate(MAX_FILE + 1)
    [(_, message)] = said(project, change(1, TEXT, SECOND))
    assert "src/a.py" in message


def test_missing_final_newline_is_reported(project: Path) -> None:
    (project / FILE).write_text(TEXT.removesuffix("\n"))
    [(_, message)] = said(project, change(1, TEXT, TEXT.replace("line 28\n", "")))
    assert "hunk 1, line 3 " in message


def test_a_file_that_is_there_is_not_created(project: Path) -> None:
    [(_, message)] = said(project, change(1, "", "x\n"))
    assert "src/a.py" in message


def state(folder: Path) -> dict[str, tuple[float, str]]:
    """Return every file below the folder with its time of change and its content."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): (path.stat().st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest()) for path in files}


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)


@pytest.fixture
def trap(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a repository that runs a command whenever git allows it, and return the file that it would create."""
    sprung = tmp_path / "sprung"
    git(project, "init", "-q")
    for name in ("filter.trap.clean", "filter.trap.smudge", "core.fsmonitor", "core.sshCommand", "diff.trap.command"):
        git(project, "config", name, f"touch {sprung}; cat")
    git(project, "config", "core.hooksPath", str(project / "hooks"))
    (project / ".gitattributes").write_text("* filter=trap diff=trap text eol=crlf\n")
    (project / "hooks").mkdir()
    for hook in ("pre-applypatch", "post-index-change", "pre-commit"):
        (project / "hooks" / hook).write_text(f"#!/bin/sh\ntouch {sprung}\n")
        (project / "hooks" / hook).chmod(0o755)
    monkeypatch.setenv("GIT_DIR", str(project / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(project))
    monkeypatch.setattr(tempfile, "tempdir", str(project))
    return sprung


def test_the_project_and_its_repository_are_read_and_nothing_of_theirs_is_run(project: Path, trap: Path) -> None:
    trap.unlink(missing_ok=True)
    before = state(project)
    attributes = (project / ".gitattributes").read_text()
    changes = (change(1, TEXT, SECOND), change(2, attributes, "* text\n", ".gitattributes"), change(3, SECOND, THIRD))
    assert said(project, *changes) == []
    assert state(project) == before
    assert not trap.exists()
    git(project, "add", "--all")
    assert trap.exists(), "the trap itself does not work"


def test_all_diffs_together_have_a_limit_of_time(project: Path) -> None:
    with pytest.raises(ValueError, match="--repo"):
        tried([change(1, TEXT, SECOND)], str(project), seconds=0)


def test_missing_git_is_reported(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(project))
    with pytest.raises(ValueError, match="install"):
        tried([change(1, TEXT, SECOND)], str(project))


def test_project_that_is_not_a_folder_is_refused(project: Path) -> None:
    with pytest.raises(ValueError, match="repo"):
        tried([], str(project / FILE))


def test_changes_are_ordered_by_wave_then_those_without_one() -> None:
    def milestone(number: int) -> Milestone:
        name = f"M-{number:03d}"
        return Milestone(id=name, name=name, code_changes=tuple(change(n, "", "x\n", milestone=name) for n in (1, 2)))

    waves = (Wave(id="W-001", milestones=("M-003",)), Wave(id="W-002", milestones=("M-002",)))
    plan = evolve(Plan(), milestones=tuple(map(milestone, (1, 2, 3))), waves=waves)
    assert [each.id for each in in_order(plan)] == [f"CC-M-{m:03d}-{n:03d}" for m in (3, 2, 1) for n in (1, 2)]
