"""Files that the reviewer of a light run reads instead of printed text: the request and plan, and the difference."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from lib.workflow.render.writer import bullet
from lib.workflow.util.characters import broken

from ..reports.plan_markdown import context_markdown
from ..state.files import write_text
from .brief import answers
from .excerpt import plan_of

if TYPE_CHECKING:
    from ..schema.phase import Phase
    from ..state.run_state import RunState
    from .slots import SlotContext

CASE: Final = "review.md"
"""The file with the request, the user's answers and the plan."""
DIFFERENCE: Final = "difference.md"
"""The file with the findings of earlier rounds and all changes since the last one."""


def write_handouts(where: "SlotContext") -> None:
    """Write the files for the current round, and replace whatever they held. Raises RefusedError."""
    from ..review.difference import since_last_round

    state, phase = where.state, where.row.phase
    write_text(
        state.state_dir, CASE, "\n".join([context_markdown(state.context), *answers(state, phase), plan_of(where)])
    )
    if state.round(phase) > 1:
        parts = [*_findings(state, phase), "## difference", "", since_last_round(state, where.row)]
        write_text(state.state_dir, DIFFERENCE, "\n".join(parts))


def _findings(state: "RunState", phase: "Phase") -> Iterator[str]:
    """Yield the findings of earlier rounds that are not settled, as Markdown."""
    review = state.review(phase)
    found = [item for item in review.items if item.finding is not None] if review else []
    if found:
        yield "## earlier findings"
        yield from (bullet(broken(f"{item.id}: {item.finding}")) for item in found)
