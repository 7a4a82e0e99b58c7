"""Depth of a run: recommended from the size of the context, asked once, recorded."""

from typing import Final

from lib.workflow.arguments.parameter import Value
from lib.workflow.ast.relay import Option, Question
from lib.workflow.core import AskUser

from ..schema.context import Context, ContextField
from ..schema.depth import Depth
from ..state.run_state import RunState

MAX_LIGHT_CHARACTERS: Final = 6000
"""Most characters of a context that one agent can hold beside the code."""
MAX_LIGHT_ENTRY_POINTS: Final = 6
"""Most entry points for the work of one agent."""


def recommended(context: Context) -> Depth:
    """Return the depth that fits the size of a context."""
    characters = sum(len(entry) for name in ContextField for entry in getattr(context, name))
    small = characters <= MAX_LIGHT_CHARACTERS and len(context.entry_points) <= MAX_LIGHT_ENTRY_POINTS
    return Depth.LIGHT if small else Depth.FULL


def ask_depth(state: RunState) -> AskUser:
    """Return the question for the depth, the recommended one first."""
    best = recommended(state.context)
    order = sorted(Depth, key=lambda each: each is not best)
    costs = {
        Depth.LIGHT: "about 40,000 characters of pages and 6 reviewers",
        Depth.FULL: "about 300,000 characters of pages and 20 agents",
    }
    options = [
        Option(label=each, description=costs[each] + (", recommended" if each is best else "")) for each in order
    ]
    question = Question(header="Depth", text="How thorough should planning and review be?", options=tuple(options))
    answers: list[dict[str, Value]] = [{"depth": each} for each in order]
    return AskUser(question, *answers)
