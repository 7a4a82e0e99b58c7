"""Worktrees of ended runs are removed only if nothing in them would be lost."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.workflow.errors import RefusedError
from lib.workflow.run.clients.results import CrashError
from lib.workflow.run.worktrees.removal import reason_to_keep, remove_worktrees
from tests.run.worktrees.projects import BRANCH, begun, lent, project, resumed, run_in, write
from tests.security.repositories import git


def ended(root: Path, each: bool = False) -> str:
    """Return the worktree of a run that has ended with a commit."""
    place = begun(root, each=each)
    write(place.folder, "one.py", "1\n")
    place.finish()
    return place.tree.path


def nothing(root: Path) -> None:
    begun(root)


def merged(root: Path) -> None:
    ended(root)
    git(root, "merge", "-q", BRANCH)


def on_another_branch(root: Path) -> None:
    ended(root)
    git(root, "branch", "keep", BRANCH)


def half_made(root: Path) -> None:
    tree = begun(root).tree
    record = tree.record()
    assert record is not None
    tree.begin(record)
    os.unlink(os.path.join(tree.path, "a.py"))


def removed_by_hand(root: Path) -> None:
    path = ended(root)
    git(root, "merge", "-q", BRANCH)
    shutil.rmtree(path)


def branch_deleted_after_a_merge(root: Path) -> None:
    path = ended(root)
    git(root, "merge", "-q", BRANCH)
    git(root, "worktree", "remove", path)
    git(root, "branch", "-d", BRANCH)


@pytest.mark.parametrize(
    "state", [nothing, merged, on_another_branch, half_made, removed_by_hand, branch_deleted_after_a_merge]
)
def test_worktree_without_own_work_is_removed_with_its_branch(state: Callable[[Path], None], tmp_path: Path) -> None:
    root = project(tmp_path)
    state(root)
    assert reason_to_keep(run_in(root)) == ""
    remove_worktrees(run_in(root))
    assert git(root, "worktree", "list").count("\n") == 1
    assert "stepscript/" not in git(root, "branch")
    assert not os.listdir(root / ".git" / "worktrees") if (root / ".git" / "worktrees").exists() else True


def unmerged(root: Path) -> None:
    ended(root)


def squashed(root: Path) -> None:
    ended(root)
    git(root, "merge", "-q", "--squash", BRANCH)
    git(root, "commit", "-q", "-m", "Squashed")


def uncommitted(root: Path) -> None:
    merged(root)
    write(resumed(root).folder, "a.py", "more\n")


def untracked(root: Path) -> None:
    merged(root)
    write(resumed(root).folder, "more.py", "more\n")


def detached(root: Path) -> None:
    merged(root)
    place = resumed(root)
    tree = Path(place.tree.path)
    git(tree, "checkout", "-q", "--detach")
    write(place.folder, "more.py", "more\n")
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "More")


def of_an_agent(root: Path) -> None:
    place = begun(root, each=True)
    write(lent(place, "2.1"), "one.py", "1\n")


def conflicting(root: Path) -> None:
    place = begun(root, each=True)
    one, two = lent(place, "2.1"), lent(place, "2.2")
    write(one, "a.py", "one\n")
    write(two, "a.py", "two\n")
    place.give("2.1")
    with pytest.raises(CrashError):
        place.give("2.2")
    place.finish()
    git(root, "merge", "-q", BRANCH)


def forgotten_by_git(root: Path) -> None:
    merged(root)
    shutil.rmtree(root / ".git" / "worktrees")


def without_record(root: Path) -> None:
    path = ended(root)
    os.unlink(f"{path}.json")


def broken_record(root: Path) -> None:
    Path(f"{ended(root)}.json").write_text("{")


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (unmerged, BRANCH),
        (squashed, BRANCH),
        (uncommitted, "has 1 uncommitted change"),
        (untracked, "has 1 uncommitted change"),
        (detached, "worktrees/"),
        (of_an_agent, "has 1 uncommitted change"),
        (conflicting, rf"{BRANCH}\+2.2"),
        (forgotten_by_git, "worktrees/"),
        (without_record, "worktrees "),
        (broken_record, "JSON"),
    ],
)
def test_worktree_with_own_work_is_kept_with_the_reason(
    state: Callable[[Path], None], why: str, tmp_path: Path
) -> None:
    root = project(tmp_path)
    state(root)
    before = git(root, "for-each-ref"), sorted(map(str, Path(run_in(root)).rglob("*")))
    with pytest.raises(RefusedError, match=why):
        remove_worktrees(run_in(root))
    assert (git(root, "for-each-ref"), sorted(map(str, Path(run_in(root)).rglob("*")))) == before


def test_removal_in_a_copy_leaves_the_original(tmp_path: Path) -> None:
    root = project(tmp_path)
    merged(root)
    copy = tmp_path / "copy"
    shutil.copytree(root, copy, symlinks=True)
    with pytest.raises(RefusedError, match="worktrees/"):
        remove_worktrees(run_in(copy))
    assert Path(resumed(root).folder, "one.py").exists()
