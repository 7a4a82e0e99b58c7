"""Brief of a sub-agent: the request and the user's answers, printed in full on the agent's first page."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from lib.workflow.command import Command
from lib.workflow.render.writer import bullet
from lib.workflow.util.characters import broken

from ..reports.plan_markdown import context_markdown
from ..schema.context import ContextField
from ..state.answers import answers_for

if TYPE_CHECKING:
    from ..schema.phase import Phase
    from ..state.run_state import RunState

FULL: Final = 3000
"""Longest context, in characters, that is printed whole. A longer one is read by a command, never cut."""
ALWAYS: Final = (ContextField.TASK_SPEC, ContextField.CONSTRAINTS, ContextField.USER_QUOTES)
"""Fields that every agent sees, whatever their length: the constraints and the user's own words."""


def brief(state: "RunState", phase: "Phase", rest: Command) -> str:
    """Return the request as Markdown for an agent.

    Args:
        state: The run.
        phase: The current phase. Its answers come first.
        rest: The command that prints the whole context.
    """
    whole = context_markdown(state.context)
    if len(whole) <= FULL:
        return "\n".join([whole, *answers(state, phase)])
    fields = context_markdown(state.context, ALWAYS)
    return "\n".join([fields, *answers(state, phase), "The other fields of the context:", "", str(rest)])


def answers(state: "RunState", phase: "Phase") -> Iterator[str]:
    """Yield lines with all answers of the user, because an answer in one phase settles what another might ask again."""
    given: dict[str, str] = {}
    for each in answers_for(state, phase):
        given.setdefault(each.header, each.text)
    if given:
        yield "## answers of the user"
        yield from (bullet(broken(f"{header}: {text}")) for header, text in given.items())
