"""Default folder of a run: with the other runs of the project."""

import os

from lib.workflow.errors import RefusedError
from lib.workflow.state.consent import is_strange
from lib.workflow.state.run_dirs import begun, found_again

from .due import is_over
from .files import run_store

NAME = "incoherence"


def place_of_run() -> str:
    """Return the last unfinished run of this project, else the folder of a new one."""
    return next(filter(_is_open, begun(NAME)), None) or found_again(NAME, _is_over)


def _is_over(state_dir: str) -> bool:
    run = run_store(state_dir).find()
    if run is None:
        return os.path.isdir(state_dir)  # names are short: a run of another kind may have it
    return is_strange(state_dir) or is_over(run)


def _is_open(state_dir: str) -> bool:
    """Return True if this user has an unfinished run there. A broken run reports its fault when it is named."""
    if is_strange(state_dir):
        return False
    try:
        run = run_store(state_dir).find()
    except RefusedError:
        return False
    return run is not None and not is_over(run)
