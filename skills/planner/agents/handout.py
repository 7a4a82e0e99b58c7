"""Files that the reviewer of a light run reads instead of printed text: the request and plan, and the difference."""

import os
from typing import TYPE_CHECKING, Final

from lib.workflow.errors import RefusedError
from lib.workflow.state.files import PRIVATE, replace_whole
from lib.workflow.state.run_dirs import check_unlinked

from ..reports.plan_markdown import context_markdown
from .brief import answers
from .excerpt import plan_of

if TYPE_CHECKING:
    from .slots import SlotContext

CASE: Final = "review.md"
"""The file with the request, the user's answers and the plan."""
DIFFERENCE: Final = "difference.md"
"""The file with all changes since the last round."""


def write_handouts(where: "SlotContext") -> None:
    """Write the files for the current round, and replace whatever they held. Raises RefusedError."""
    from ..review.difference import since_last_round

    state, phase = where.state, where.row.phase
    _write(state.state_dir, CASE, "\n".join([context_markdown(state.context), *answers(state, phase), plan_of(where)]))
    if state.round(phase) > 1:
        _write(state.state_dir, DIFFERENCE, since_last_round(state, where.row))


def _write(state_dir: str, name: str, text: str) -> None:
    path = os.path.join(state_dir, name)
    check_unlinked(state_dir)
    try:
        replace_whole(path, f"{text}\n".encode(), PRIVATE)
    except OSError as error:
        fix = "Make the folder writable, or free space, and run the same command."
        raise RefusedError("unwritable-state", path, error.strerror or str(error), fix) from None
