"""The end of a run's worktrees: they are removed only if nothing in them would be lost."""

import os
from typing import Final

from ...command.quoting import join
from ...errors import RefusedError
from ...state.run_dirs import WORKTREES
from ...util.plurals import count
from .of_run import HIDDEN, conflicts, holders, is_elsewhere, tree_of
from .repository import Repository
from .tree import GONE, Tree

HOW: Final = "bring them into yours with `git merge {0}`, or give them up with `{1}` and `git branch -D {0}`"


def has_worktrees(folder: str) -> bool:
    """Return True if a run's folder holds worktrees, or records of them."""
    return os.path.lexists(os.path.join(os.path.realpath(folder), WORKTREES))


def reason_to_keep(folder: str) -> str:
    """Return why the worktrees of a run must stay; empty if nothing would be lost. Changes nothing."""
    if not has_worktrees(folder):
        return ""
    try:
        run = tree_of(folder)
        if run is None:
            return f"{os.path.join(folder, WORKTREES)} holds files that are not of stepscript"
        record, git = run.record(), run.repository
        assert record is not None
        if not record.is_whole:  # nobody has worked in it
            return ""
        for tree in _trees(run):
            why = _unsaved(git, tree)
            if why:
                return why
        for name in (record.branch, *conflicts(git, record.branch)):
            tip = git.commit_of(f"refs/heads/{name}")
            if tip and tip != record.base and not is_elsewhere(git, tip, record.branch):
                how = HOW.format(name, join(("git", "worktree", "remove", run.path)))
                return f"no other branch has the commits of {name}; {how}"
    except RefusedError as error:
        return str(error)
    return ""


def _unsaved(git: Repository, tree: Tree) -> str:
    """Return what would be lost with a worktree."""
    if not os.path.lexists(tree.path):
        return ""
    place = tree.place
    if place is None:
        return f"git does not know the worktree {tree.path}"
    changed = git.changed(place)
    if changed:
        return f"{tree.path} has {count(len(changed), 'uncommitted change')}"
    head = git.commit_of("HEAD", place)
    if head and not holders(git, head):
        return f"no branch has the commits of {tree.path}"
    return ""


def _trees(run: Tree) -> list[Tree]:
    """Return the worktrees of a run: its own, and those of its agents."""
    folder, name = os.path.split(run.path)
    found = (each.name for each in os.scandir(folder) if each.is_dir(follow_symlinks=False))
    paths = [os.path.join(folder, each) for each in found if each.startswith(f"{name}.") and not each.endswith(GONE)]
    return [run, *(Tree(run.repository, path) for path in sorted(paths))]


def remove_worktrees(folder: str) -> None:
    """Remove the worktrees of a run and its branches. Raises RefusedError if git finds something that would be lost."""
    why = reason_to_keep(folder)
    if why:
        raise RefusedError("worktree", folder, why, "Bring its work into another branch first.")
    run = tree_of(folder) if has_worktrees(folder) else None
    if run is None:
        return
    record, git = run.record(), run.repository
    assert record is not None
    for tree in _trees(run):
        if record.is_whole and os.path.lexists(tree.path):
            git.git("worktree", "remove", tree.path)  # looks once more for changes
        else:
            tree.discard()
    if not record.is_whole and git.commit_of(f"refs/heads/{record.branch}") != record.base:
        return  # not made by this run
    for name in (record.branch, *conflicts(git, record.branch)):
        tip = git.commit_of(f"refs/heads/{name}")
        if tip is not None:
            git.git("update-ref", "-d", f"refs/heads/{name}", tip)
    git.git("update-ref", "-d", HIDDEN + record.branch)
