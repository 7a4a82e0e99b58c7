"""A run's own worktree: when there is one, what it begins with, what it brings back."""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from lib.workflow.errors import RefusedError
from lib.workflow.run.worktrees.of_run import caveats, planned, result
from lib.workflow.run.worktrees.repository import Repository
from lib.workflow.state.consent import begun as mark_of
from lib.workflow.state.consent import root_of
from lib.workflow.state.run_dirs import holder
from skills.planner.state.beginning import beginnable
from tests.run.worktrees.projects import BRANCH, NAME, begun, files, project, resumed, run_in, shown, write
from tests.security.repositories import git


def no_git(root: Path) -> None:
    shutil.rmtree(root / ".git")


def no_commit(root: Path) -> None:
    no_git(root)
    git(root, "init", "-q")


def bare(root: Path) -> None:
    git(root, "clone", "-q", "--bare", ".", "../bare")
    shutil.rmtree(root)
    os.rename(root.parent / "bare", root)


def dirty(root: Path) -> None:
    (root / "a.py").write_text("changed\n")


def untracked(root: Path) -> None:
    (root / "new.py").write_text("new\n")


def branch_is_taken(root: Path) -> None:
    git(root, "branch", BRANCH)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (no_git, "git repository"),
        (bare, "git repository"),
        (no_commit, "git commit"),
        (dirty, r"1 uncommitted change .*: a\.py"),
        (untracked, r"1 uncommitted change .*: new\.py"),
        (branch_is_taken, BRANCH),
    ],
)
def test_worktree_that_cannot_be_is_refused_before_anything_is_written(
    spoil: Callable[[Path], None], why: str, tmp_path: Path
) -> None:
    root = project(tmp_path)
    spoil(root)
    with pytest.raises(RefusedError, check=lambda refusal: bool(re.search(why, f"{refusal} {refusal.fix}"))):
        planned(run_in(root), str(root), False, False)
    assert not (root / ".stepscript").exists()


def on_main(root: Path) -> Path:
    return root


def detached(root: Path) -> Path:
    git(root, "checkout", "-q", "--detach")
    return root


def in_a_worktree(root: Path) -> Path:
    git(root, "worktree", "add", "-q", "-b", "other", "../other worktree")
    return root.parent / "other worktree"


def in_a_worktree_of_a_bare_repository(root: Path) -> Path:
    git(root, "clone", "-q", "--bare", ".", "../bare")
    git(root.parent / "bare", "worktree", "add", "-q", "../of bare", "main")
    return root.parent / "of bare"


@pytest.mark.parametrize("kind", [on_main, detached, in_a_worktree, in_a_worktree_of_a_bare_repository])
def test_work_ends_as_commits_on_a_branch_and_the_users_files_stay(
    kind: Callable[[Path], Path], tmp_path: Path
) -> None:
    root = kind(project(tmp_path))
    before = git(root, "rev-parse", "HEAD")
    place = begun(root, root / "src")
    assert place.folder == os.path.join(run_in(root), "worktrees", NAME, "src")
    write(place.folder, "new/ü 'x'.py", "new\n")
    write(place.tree.path, "a.py", "changed\n")
    os.unlink(os.path.join(place.tree.path, "b.py"))
    place.finish()
    place.finish()
    assert files(root) == ["a.py", "src/c.py", "src/new/ü 'x'.py"]
    assert shown(root, "a.py") == "changed\n"
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "rev-parse", "HEAD") == before
    found = result(run_in(root))
    assert found is not None
    assert (found.commits, found.uncommitted, found.is_merged) == (1, (), False)
    git(root, *found.command.split()[1:], "-q")
    merged = result(run_in(root))
    assert (root / "src" / "new" / "ü 'x'.py").exists()
    assert merged is not None
    assert (merged.is_merged or not git(root, "branch", "--show-current"), bool(found.command)) == (True, True)


def test_uncommitted_changes_are_carried_over_on_request(tmp_path: Path) -> None:
    root = project(tmp_path)
    (root / "a.py").write_text("changed\n")
    (root / "b.py").unlink()
    (root / "src" / "c.py").unlink()
    (root / "src").rmdir()
    (root / "src").symlink_to("a.py")
    (root / "new" / "deep").mkdir(parents=True)
    (root / "new" / "deep" / "ü.py").write_text("new\n")
    (root / "new" / "deep" / "ü.py").chmod(0o755)
    before = git(root, "status", "--porcelain")
    begun(root, carries=True)
    assert files(root) == ["a.py", "new/deep/ü.py", "src"]
    assert shown(root, "a.py") == "changed\n"
    assert shown(root, "src") == "a.py"
    assert git(root, "ls-tree", BRANCH, "new/deep/").startswith("100755")
    assert git(root, "status", "--porcelain") == before


def test_carried_files_do_not_pass_a_link_of_the_last_commit(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    root = project(tmp_path)
    (root / "way").symlink_to(outside)
    git(root, "add", "way")
    git(root, "commit", "-q", "-m", "Link")
    (root / "way").unlink()
    (root / "way").mkdir()
    (root / "way" / "file").write_text("new\n")
    begun(root, carries=True)
    assert list(outside.iterdir()) == []
    assert shown(root, "way/file") == "new\n"


def test_the_project_of_a_run_is_its_worktree(tmp_path: Path) -> None:
    root = project(tmp_path)
    assert holder(run_in(root)) is None or holder(run_in(root)) == str(root)
    place = begun(root)
    assert holder(run_in(root)) == place.tree.path
    assert root_of(run_in(root), place.tree.path, mark_of(run_in(root))) == place.tree.path
    assert beginnable(run_in(root), "Fix it").project_root == place.tree.path


def test_folder_of_runs_below_the_repository_has_its_own_part_of_the_worktree(tmp_path: Path) -> None:
    root = project(tmp_path)
    (root / "src" / ".stepscript").mkdir()
    (root / "src" / ".stepscript" / ".gitignore").write_text("*\n")
    part = root / "src"
    place = begun(part)
    assert holder(run_in(part)) == place.folder == os.path.join(place.tree.path, "src")


def moved(root: Path) -> Path:
    os.rename(root, root.with_name("moved"))
    return root.with_name("moved")


def removed(root: Path) -> Path:
    shutil.rmtree(os.path.join(run_in(root), "worktrees", NAME))
    return root


def removed_by_git(root: Path) -> Path:
    git(root, "worktree", "remove", "--force", os.path.join(run_in(root), "worktrees", NAME))
    return root


def without_link(root: Path) -> Path:
    os.unlink(os.path.join(run_in(root), "worktrees", NAME, ".git"))
    return root


@pytest.mark.parametrize("change", [moved, removed, removed_by_git, without_link])
def test_resumed_run_has_its_worktree_with_all_commits_again(change: Callable[[Path], Path], tmp_path: Path) -> None:
    root = project(tmp_path)
    place = begun(root)
    write(place.folder, "one.py", "1\n")
    place.finish()
    root = change(root)
    place = resumed(root)
    assert Path(place.folder, "one.py").read_text() == "1\n"
    write(place.folder, "two.py", "2\n")
    place.finish()
    assert {"one.py", "two.py"} <= set(files(root))


def test_work_in_a_worktree_that_git_forgot_is_not_touched(tmp_path: Path) -> None:
    root = project(tmp_path)
    place = begun(root)
    write(place.folder, "one.py", "1\n")
    shutil.rmtree(root / ".git" / "worktrees")
    with pytest.raises(RefusedError, check=lambda refusal: refusal.target == place.folder):
        resumed(root)
    assert Path(place.folder, "one.py").read_text() == "1\n"
    found = result(run_in(root))
    assert found is not None


def test_link_to_another_repository_leads_no_commit_there(tmp_path: Path) -> None:
    other = project(tmp_path / "other")
    root = project(tmp_path)
    place = begun(root)
    write(place.folder, "one.py", "1\n")
    write(place.folder, ".git", f"gitdir: {other / '.git'}\n")
    place.finish()
    assert "one.py" in files(root)
    assert git(other, "log", "--oneline", "--all").count("\n") == 1


def test_branch_that_an_agent_left_is_named(tmp_path: Path) -> None:
    root = project(tmp_path)
    place = begun(root)
    git(Path(place.tree.path), "checkout", "-q", "-b", "elsewhere")
    write(place.folder, "one.py", "1\n")
    with pytest.raises(RefusedError, match="HEAD is elsewhere"):
        place.finish()
    assert Path(place.folder, "one.py").exists()


def test_files_of_filters_and_nested_repositories_stay_uncommitted_and_are_named(tmp_path: Path) -> None:
    root = project(tmp_path)
    (root / ".gitattributes").write_text("*.bin filter=lfs -text\n")
    (root / "old.bin").write_text("pointer\n")
    (root / ".gitmodules").write_text("")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Files of a filter")
    said = " ".join(caveats(Repository(str(root))))
    assert "LFS" in said
    place = begun(root)
    write(place.folder, "old.bin", "content\n")
    write(place.folder, "one.py", "1\n")
    nested = Path(place.folder, "nested")
    nested.mkdir()
    git(nested, "init", "-q")
    write(str(nested), "x", "x")
    place.finish()
    assert "one.py" in files(root)
    assert shown(root, "old.bin") == "pointer\n"
    found = result(run_in(root))
    assert found is not None
    assert found.uncommitted == ("old.bin", "nested/")
    assert "2 uncommitted changes" in found.sentence


def test_user_without_a_name_in_git_gets_commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    root = project(tmp_path)
    place = begun(root)
    write(place.folder, "one.py", "1\n")
    place.finish()
    assert "one.py" in files(root)


def test_two_runs_at_once_have_separate_worktrees_and_branches(tmp_path: Path) -> None:
    root = project(tmp_path)
    first = begun(root)
    second_run = f"{run_in(root)}.2"
    tree, record = planned(second_run, str(root), False, False)
    tree.make(record)
    write(first.folder, "one.py", "1\n")
    write(tree.path, "two.py", "2\n")
    first.finish()
    tree.repository.commit("Two", tree.here())
    assert set(files(root)) ^ set(files(root, record.branch)) == {"one.py", "two.py"}


def test_worktree_that_was_half_made_is_made_again(tmp_path: Path) -> None:
    root = project(tmp_path)
    place = begun(root)
    record = place.tree.record()
    assert record is not None
    place.tree.begin(record)
    os.unlink(os.path.join(place.tree.path, "a.py"))
    place = resumed(root)
    place.finish()
    assert "a.py" in files(root)


def test_lock_of_another_git_is_awaited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path)
    place = begun(root)
    write(place.folder, "one.py", "1\n")
    lock = root / ".git" / "worktrees" / NAME / "index.lock"
    lock.touch()
    clock = SimpleNamespace(sleep=lambda seconds: lock.unlink())
    monkeypatch.setattr("lib.workflow.run.worktrees.repository.time", clock)
    place.finish()
    assert "one.py" in files(root)
