"""Files that the agents of a run read instead of printed text: the request with the plan, and the difference."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from attrs import evolve

from lib.workflow.render.writer import bullet
from lib.workflow.util.characters import broken

from ..phases import EXECUTING
from ..reports.plan_markdown import context_markdown, plan_markdown
from ..state.answers import answers_for
from ..state.files import write_text
from .wave_slots import milestones_told

if TYPE_CHECKING:
    from ..phases import PhaseSpec
    from ..schema.phase import Phase
    from ..schema.plan import Plan
    from ..state.run_state import RunState

BRIEF: Final = "brief.md"
"""The file with the request and the plan; in a wave, with the wave's part of the plan."""
DIFFERENCE: Final = "difference.md"
"""The file with the findings of earlier rounds and all changes since the last one."""


def write_brief(state: "RunState", row: "PhaseSpec") -> None:
    """Write the brief for the agents of a phase, and replace what the file held. Raises RefusedError."""
    wave = milestones_told(state, row.phase, None) if row in EXECUTING else None
    parts = [context_markdown(state.context), plan_markdown(_without_repeated(state), milestones=wave)]
    write_text(state.state_dir, BRIEF, "\n".join(parts))


def write_difference(state: "RunState", row: "PhaseSpec") -> None:
    """Write the difference for the reviewers of a further round. Raises RefusedError."""
    from ..review.difference import since_last_round

    parts = [*_findings(state, row.phase), "## difference", "", since_last_round(state, row)]
    write_text(state.state_dir, DIFFERENCE, "\n".join(parts))


def _without_repeated(state: "RunState") -> "Plan":
    """Return the plan, without its constraints if they equal those of the context above it."""
    plan = state.plan
    if plan.planning_context.constraints != state.context.constraints:
        return plan
    return evolve(plan, planning_context=evolve(plan.planning_context, constraints=()))


def answers(state: "RunState", phase: "Phase") -> Iterator[str]:
    """Yield a line for each answer of the user: an answer in one phase settles what another might ask again."""
    given: dict[str, str] = {}
    for each in answers_for(state, phase):
        given.setdefault(each.header, each.text)
    yield from (bullet(broken(f"{header}: {text}")) for header, text in given.items())


def _findings(state: "RunState", phase: "Phase") -> Iterator[str]:
    """Yield the findings of earlier rounds that are not settled, as Markdown."""
    review = state.review(phase)
    found = [item for item in review.items if item.finding is not None] if review else []
    if found:
        yield "## earlier findings"
        yield from (bullet(broken(f"{item.id}: {item.finding}")) for item in found)
