"""Where a run keeps its state when nobody says where (decisions.md, "State directory")."""

import os

from lib.workflow.homes import ignored, runs_folder, slug

from ..state.files import RUN_FILE
from ..state.run_state import RunState


def new_state_dir(task: str) -> str:
    """The folder for a task that is begun today; the same task finds its folder again until its plan is approved."""
    from datetime import date
    from hashlib import sha256

    runs = runs_folder()
    digest = sha256(f"{runs}/{task}".encode()).hexdigest()[:6]
    name = f"{date.today():%Y-%m-%d}-{slug(task)}-{digest}"  # the day of whoever asks
    number = 1
    while _is_finished(os.path.join(runs, name)):
        number += 1
        name = f"{name.removesuffix(f'.{number - 1}')}.{number}"
    ignored(runs)
    return os.path.join(runs, name)


def _is_finished(state_dir: str) -> bool:
    if not os.path.exists(os.path.join(state_dir, RUN_FILE)):
        return False
    run = RunState(state_dir).run
    return run.aborted or run.approval is not None
