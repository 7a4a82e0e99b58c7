"""The brief of a sub-agent: the request and the user's answers, whole, on the agent's own first page."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from lib.workflow.command import Command

from ..schema.context import ContextField

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
    whole = "\n".join(_fields(state, tuple(ContextField)))
    if len(whole) <= FULL:
        return "\n".join([whole, *_answers(state, phase)])
    fields = "\n".join(_fields(state, ALWAYS))
    return "\n".join([fields, *_answers(state, phase), "The other fields of the context:", "", str(rest)])


def _fields(state: "RunState", names: tuple[ContextField, ...]) -> Iterator[str]:
    for name in names:
        entries: tuple[str, ...] = getattr(state.context, name)
        if entries:
            yield f"{name}:"
            yield from (f"- {' '.join(entry.split())}" for entry in entries)


def _answers(state: "RunState", phase: "Phase") -> Iterator[str]:
    """All answers of the user: a question of one phase settles what others may ask again."""
    given = sorted(state.run.answers, key=lambda answer: answer.phase is not phase)
    if given:
        yield "The user has answered:"
        yield from (f"- {answer.header}: {' '.join(answer.text.split())}" for answer in given)
