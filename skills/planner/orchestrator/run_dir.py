"""Where a run keeps its state when nobody says where (decisions.md, "State directory")."""

import os

from lib.workflow.homes import found_again

from ..state.files import RUN_FILE
from ..state.run_state import RunState


def new_state_dir(task: str) -> str:
    """The folder for a task that is begun today; the same task finds its folder again until its plan is approved."""
    return found_again(task, _is_finished)


def _is_finished(state_dir: str) -> bool:
    if not os.path.exists(os.path.join(state_dir, RUN_FILE)):
        return False
    run = RunState(state_dir).run
    return run.aborted or run.approval is not None
