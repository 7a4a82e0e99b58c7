"""The user's answers, for every agent whose work they concern: workers and verifiers."""

from typing import TYPE_CHECKING

from ..schema.phase import Phase

if TYPE_CHECKING:
    from ..schema.run import Answer
    from .run_state import RunState


def answers_for(state: "RunState", phase: Phase) -> "tuple[Answer, ...]":
    """Return all answers of the run: first those of the phase in the current wave, then the others, in order."""
    at = state.run.at(phase)[:2]
    return tuple(sorted(state.run.answers, key=lambda answer: answer.at[:2] != at))
