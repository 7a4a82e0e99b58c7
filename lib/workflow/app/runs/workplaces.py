"""The worktree of a run as its driver needs it: planned at the start, and made the workplace of the agents."""

import os

from ...errors import RefusedError
from ...run.journal.spec import Spec
from ...run.worktrees.of_agents import WaveWorkplace
from ...run.worktrees.of_run import RunWorkplace, caveats, check_sendable, planned, tree_of
from ...state.run_folder import make_run
from ..output.screen import err
from .found_runs import drivers
from .placing import has_worktree

MODES = ("run", "each")
"""Values of `--worktree`: one for the run, or one for each launched agent too."""


def place(folder: str, mode: str, carries: bool, apart: bool = False) -> None:
    """Plan the worktree of a new run, and say where it is. A run that has one keeps it.

    Raises RefusedError if there can be none.

    Args:
        folder: The run's folder.
        mode: One of MODES.
        carries: If true, it begins with the user's uncommitted changes.
        apart: If true, agents on other hosts get copies of it.
    """
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


def workplace(run: str, spec: Spec) -> RunWorkplace | None:
    """Return the workplace of a run with a worktree, else None. Raises RefusedError for a broken one."""
    folder = os.path.dirname(run)
    if not has_worktree(folder):
        return None
    tree = tree_of(folder)
    record = None if tree is None else tree.record()
    if tree is None or record is None:
        return None
    return (WaveWorkplace if record.each else RunWorkplace)(tree, record, spec.request or spec.workflow)
