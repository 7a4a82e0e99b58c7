"""Where a run keeps its state when nobody says where (decisions.md, "State directory")."""

import os

from lib.workflow.consent import is_strange
from lib.workflow.homes import found_again

from ..state.files import RUN_FILE
from ..state.run_state import RunState


def new_state_dir(task: str) -> str:
    """The folder for a task that is begun today; the same task finds its folder again until its plan is approved."""
    return found_again(task, _is_finished)


def _is_finished(state_dir: str) -> bool:
    """Whether no step is left for this user in the folder: what somebody else has put there counts as finished."""
    if not os.path.exists(os.path.join(state_dir, RUN_FILE)):
        return False
    if is_strange(state_dir):
        return True
    run = RunState(state_dir).run
    return run.aborted or run.approval is not None
