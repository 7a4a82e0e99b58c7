"""Runs of a project that this user has started: their folders, and the one that changed last."""

import os
from collections.abc import Iterator

from lib.workflow.errors import RefusedError
from lib.workflow.state.consent import command, is_marked
from lib.workflow.state.run_dirs import latest_folders, runs_folder

from ..state.files import RUN_FILE
from ..state.run_state import RunState


def unfinished(root: str | None = None) -> Iterator[RunState]:
    """Yield the user's unfinished runs in a project, the last changed first, without broken ones."""
    for path in latest_folders(root):
        if is_marked(path) and _has_run(path):
            state = RunState(path)
            if _waits(state):
                yield state


def newest(root: str | None = None) -> RunState:
    """Return the user's last changed run. Raises RefusedError if the project has no unfinished one."""
    for state in unfinished(root):
        return state
    strange = next((path for path in latest_folders(root) if _has_run(path) and not is_marked(path)), None)
    if strange is not None:
        what = "this folder contains no unfinished run of yours; its other runs may have come with the repository"
        fix = f"Inspect one with --state-dir; if the user agrees, run:  {command('trust', strange)}"
        raise RefusedError("no-run", runs_folder(root), what, fix)
    fix = "Start one with the planner, or name a folder with --state-dir."
    raise RefusedError("no-run", runs_folder(root), "this folder contains no unfinished run", fix)


def _waits(state: RunState) -> bool:
    try:
        return state.is_yours and not (state.run.aborted or state.run.finished)
    except RefusedError:
        return False


def _has_run(path: str) -> bool:
    return os.path.isfile(os.path.join(path, RUN_FILE))
