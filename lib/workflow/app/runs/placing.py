"""The worktree of a run at the command line, as it is shown with the result."""

import os
from typing import TYPE_CHECKING

from ...errors import RefusedError
from ...state.run_dirs import WORKTREES
from ..output.screen import Screen

if TYPE_CHECKING:
    from ...run.worktrees.of_run import Result


def has_worktree(folder: str) -> bool:
    """Return True if the run in a folder may have a worktree; this reads no more than one name."""
    return os.path.lexists(os.path.join(folder, WORKTREES))


def check_local(run: str) -> None:
    """Raise RefusedError if a run that another host may execute has a worktree."""
    if has_worktree(os.path.dirname(run)):
        why = "a run with a worktree is driven on this machine only"
        fix = "Start it with --engine local, or with --no-shared-folder and a pool."
        raise RefusedError("worktree", os.path.dirname(run), why, fix)


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
