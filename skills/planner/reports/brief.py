"""The request with the plan, in a file that the agents of a run read instead of printed text."""

from typing import TYPE_CHECKING

from attrs import evolve

from ..state.files import BRIEF, write_text
from .plan_markdown import context_markdown, plan_markdown

if TYPE_CHECKING:
    from ..schema.context import Context
    from ..schema.plan.document import Plan


def write_brief(state_dir: str, context: "Context", plan: "Plan") -> None:
    """Write the request and the plan, and replace what the file held. Raises RefusedError."""
    planning = plan.planning_context
    if planning.constraints == context.constraints:  # the context above says them
        plan = evolve(plan, planning_context=evolve(planning, constraints=()))
    write_text(state_dir, BRIEF, "\n".join([context_markdown(context), plan_markdown(plan)]))
