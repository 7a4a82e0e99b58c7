"""The runs of a project: where they are, and which was last at work."""

import os
from collections.abc import Iterator

from lib.workflow.errors import RefusedError
from lib.workflow.homes import run_folders, runs_folder

from ..state.files import RUN_FILE
from ..state.run_state import RunState


def unfinished(root: str | None = None) -> Iterator[RunState]:
    """The project's runs that wait for something, the last changed first. One that is broken is left out."""
    for path in filter(_has_run, run_folders(root)):
        state = RunState(path)
        try:
            run = state.run
        except RefusedError:
            continue
        if not (run.aborted or run.finished):
            yield state


def newest(root: str | None = None) -> RunState:
    """The run that was last at work. Raises RefusedError where the project has none that waits for something."""
    for state in unfinished(root):
        return state
    fix = "Begin one with the planner, or name a folder by --state-dir."
    raise RefusedError("no-run", runs_folder(root), "holds no run that waits for something", fix)


def _has_run(path: str) -> bool:
    return os.path.isfile(os.path.join(path, RUN_FILE))
