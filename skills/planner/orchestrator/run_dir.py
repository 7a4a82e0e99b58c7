"""Default state directory of a run."""

import os

from lib.workflow.state.consent import is_strange
from lib.workflow.state.run_dirs import found_again

from ..state.files import RUN_FILE
from ..state.run_state import RunState


def new_state_dir(task: str) -> str:
    """Return the folder for a task that starts today, or the task's earlier folder until its plan is approved.

    Skips a folder that belongs to another task or another user.
    """

    def is_taken(state_dir: str) -> bool:
        if not os.path.exists(os.path.join(state_dir, RUN_FILE)):
            return False
        if is_strange(state_dir):
            return True
        run = RunState(state_dir).run
        return run.aborted or run.approval is not None or run.task != task

    return found_again(task, is_taken)
