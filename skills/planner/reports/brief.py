"""Files that the agents of a run read instead of printed text: the request with the plan, and the difference."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from attrs import evolve

from lib.workflow.render.writer import bullet
from lib.workflow.util.characters import broken

from ..state.files import write_text
from .plan_markdown import context_markdown, plan_markdown

if TYPE_CHECKING:
    from ..phases import PhaseSpec
    from ..schema.context import Context
    from ..schema.phase import Phase
    from ..schema.plan import Plan
    from ..state.run_state import RunState

BRIEF: Final = "brief.md"
"""The file with the request and the plan."""
DIFFERENCE: Final = "difference.md"
"""The file with the findings of earlier rounds and all changes since the last one."""


def write_brief(state_dir: str, context: "Context", plan: "Plan") -> None:
    """Write the request and the plan, and replace what the file held. Raises RefusedError."""
    planning = plan.planning_context
    if planning.constraints == context.constraints:  # the context above says them
        plan = evolve(plan, planning_context=evolve(planning, constraints=()))
    write_text(state_dir, BRIEF, "\n".join([context_markdown(context), plan_markdown(plan)]))


def write_difference(state: "RunState", row: "PhaseSpec", iteration: int) -> None:
    """Write the difference for the reviewers of a round, if it has one. Raises RefusedError."""
    from ..review.difference import reaches_back, since_round  # only reviews pay for this import

    if iteration > 1 or reaches_back(state, row):
        changes = since_round(state, row, iteration - 1)
        write_text(state.state_dir, DIFFERENCE, "\n".join([*_findings(state, row.phase), "## difference", "", changes]))


def _findings(state: "RunState", phase: "Phase") -> Iterator[str]:
    """Yield the findings of earlier rounds that are not settled, as Markdown."""
    review = state.review(phase)
    found = [item for item in review.items if item.finding is not None] if review else []
    if found:
        yield "## earlier findings"
        yield from (bullet(broken(f"{item.id}: {item.finding}")) for item in found)
