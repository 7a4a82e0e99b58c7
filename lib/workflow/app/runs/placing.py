"""The worktree of a run at the command line: asked for at the start, shown with the result."""

import os
from typing import TYPE_CHECKING

from ...errors import RefusedError
from ...run.journal.spec import Spec
from ...state.run_dirs import WORKTREES
from ...state.run_folder import make_run
from ..output.screen import Screen, err
from .found_runs import drivers

if TYPE_CHECKING:
    from ...run.worktrees.of_run import Result, RunWorkplace

MODES = ("run", "each")
"""Values of `--worktree`: one for the run, or one for each launched agent too."""


def has_worktree(folder: str) -> bool:
    """Return True if the run in a folder may have a worktree; this reads no more than one name."""
    return os.path.lexists(os.path.join(folder, WORKTREES))


def place(folder: str, mode: str, carries: bool, apart: bool = False) -> None:
    """Plan the worktree of a new run, and say where it is. A run that has one keeps it.

    Raises RefusedError if there can be none.

    Args:
        folder: The run's folder.
        mode: One of MODES.
        carries: If true, it begins with the user's uncommitted changes.
        apart: If true, agents on other hosts get copies of it.
    """
    from ...run.worktrees.of_run import caveats, check_sendable, planned

    if has_worktree(folder):
        return
    if drivers(folder) or (os.path.isdir(folder) and os.listdir(folder)):
        why = "the run directory holds a run that works in the project itself"
        raise RefusedError("worktree", folder, why, "Leave --worktree out, or start a new run with it.")
    tree, record = planned(folder, os.getcwd(), mode == "each", carries)
    if apart:
        check_sendable(tree.repository, folder)
    make_run(folder)
    tree.begin(record)
    screen = err()
    screen.line(f"worktree: {tree.path}")
    screen.line(f"branch: {record.branch}, from {record.target or 'a detached HEAD'} at {record.base[:12]}")
    for sentence in caveats(tree.repository):
        screen.line(f"note: {sentence}")


def check_local(run: str) -> None:
    """Raise RefusedError if a run that another host may execute has a worktree."""
    if has_worktree(os.path.dirname(run)):
        why = "a run with a worktree is driven on this machine only"
        fix = "Start it with --engine local, or with --no-shared-folder and a pool."
        raise RefusedError("worktree", os.path.dirname(run), why, fix)


def workplace(run: str, spec: Spec) -> "RunWorkplace | None":
    """Return the workplace of a run with a worktree, else None. Raises RefusedError for a broken one."""
    folder = os.path.dirname(run)
    if not has_worktree(folder):
        return None
    from ...run.worktrees.of_agents import WaveWorkplace
    from ...run.worktrees.of_run import RunWorkplace, tree_of

    tree = tree_of(folder)
    record = None if tree is None else tree.record()
    if tree is None or record is None:
        return None
    return (WaveWorkplace if record.each else RunWorkplace)(tree, record, spec.request or spec.workflow)


def result_of(run: str) -> "Result | None":
    """Return what the worktree of a run holds, or None."""
    if not has_worktree(os.path.dirname(run)):
        return None
    from ...run.worktrees.of_run import result

    return result(os.path.dirname(run))


def show(screen: Screen, found: "Result | None") -> None:
    """Show the worktree of a run, with the command that takes over its result."""
    if found is None:
        return
    screen.line(f"  worktree: {found.path}")
    screen.line(f"  result: {found.sentence}")
    if found.command:
        onto = f", on {found.target}" if found.target else ""
        screen.line(f"  take it over{onto}:  {found.command}")
