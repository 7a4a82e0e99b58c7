"""The brief of a sub-agent: the request and the user's answers, whole, on the agent's own first page."""

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
"""Characters of a context that is printed whole; a longer one is read by a command, never cut."""
ALWAYS: Final = (ContextField.TASK_SPEC, ContextField.CONSTRAINTS, ContextField.USER_QUOTES)
"""The fields that every agent is shown, whatever their length: what must be and what the user said."""


def brief(state: "RunState", phase: "Phase", rest: Command) -> str:
    """Print the request for an agent.

    Args:
        state: The run.
        phase: The phase at hand: its answers come first.
        rest: The command that prints the whole context.
    """
    whole = context_markdown(state.context)
    if len(whole) <= FULL:
        return "\n".join([whole, *_answers(state, phase)])
    fields = context_markdown(state.context, ALWAYS)
    return "\n".join([fields, *_answers(state, phase), "The other fields of the context:", "", str(rest)])


def _answers(state: "RunState", phase: "Phase") -> Iterator[str]:
    """All answers of the user: a question of one phase settles what others may ask again."""
    given: dict[str, str] = {}
    for each in answers_for(state, phase):
        given.setdefault(each.header, each.text)
    if given:
        yield "## answers of the user"
        yield from (bullet(broken(f"{header}: {text}")) for header, text in given.items())
