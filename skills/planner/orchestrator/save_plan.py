"""The approved plan in the user's project, for the option --save."""

import os

from lib.workflow.codec import MAX_SIZE
from lib.workflow.errors import RefusedError
from lib.workflow.state.files import read_whole, replace_whole
from lib.workflow.state.run_dirs import inside

from ..state.files import PLAN_TEXT
from ..state.run_state import RunState


def save_plan(state: RunState) -> str:
    """Write plan.md to the project's docs/plans, under the run's name, and return the path. Raises RefusedError."""
    path = inside(state.project, "docs", "plans", f"{state.run.id}.md")
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        replace_whole(path, read_whole(state.text(PLAN_TEXT), MAX_SIZE))
    except OSError as error:
        fix = "Make the folder writable, or run the same command without --save."
        raise RefusedError("unwritable-plan", path, f"it cannot be written: {error.strerror or error}", fix) from None
    return path
