"""The diffs as the developer left them, kept in files: whoever documents them writes over those of the plan."""

import os
from typing import TYPE_CHECKING

from lib.workflow.errors import RefusedError
from lib.workflow.files import replace_whole

if TYPE_CHECKING:
    from .schema.plan import Plan


def keep_diffs(folder: str, plan: "Plan") -> None:
    """Writes every diff of the plan into a file of its own, named by its change's id. Raises RefusedError."""
    try:
        os.makedirs(folder, exist_ok=True)
        for milestone in plan.milestones:
            for change in milestone.code_changes:
                replace_whole(os.path.join(folder, f"{change.id}.diff"), change.diff.encode())
    except OSError as error:
        fix = "Make the folder writable, with room, and run the same command again."
        raise RefusedError("unwritable-state", folder, error.strerror or str(error), fix) from None
