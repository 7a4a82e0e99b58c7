"""The loop of an investigation: the ledger decides on another round, up to a maximum number."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias

from ..arguments.parameter import Arg
from ..types import Confidence, Outcome
from .base import AgentChoice, State, StepContext

SETTLED: Final = (Confidence.HIGH, Confidence.CERTAIN)
"""Levels of confidence that end a loop."""
WHEN: Final[Mapping[Outcome, str]] = MappingProxyType(
    {
        Outcome.OK: f"LEVEL is {' or '.join(SETTLED)}, or CHANGED is none",
        Outcome.ITERATE: f"LEVEL is below {SETTLED[0]} and CHANGED names a row",
    }
)
"""Conditions of the branches: a step's prompt has the agent write LEVEL and CHANGED."""

Turn: TypeAlias = Literal[Outcome.OK, Outcome.ITERATE]
Level: TypeAlias = Annotated[Confidence, Arg(description="the level of the finished ledger; the agent's to read off")]


def rounds(most: int) -> Callable[..., tuple[Turn, State] | AgentChoice[Turn]]:
    """Return a handler with `confidence` and `iteration`: ITERATE is one more round, up to `most`; OK leads on.

    The agent decides by its ledger, unless `confidence` is given.
    """

    def turn(
        context: StepContext,
        confidence: Level | None = None,
        iteration: Annotated[int, Arg(description="number of this round", min=1, max=most)] = 1,
    ) -> tuple[Turn, State] | AgentChoice[Turn]:
        again: State = {"iteration": iteration + 1}
        if iteration == most or confidence in SETTLED:
            return Outcome.OK, {}
        return AgentChoice({Outcome.OK: {}, Outcome.ITERATE: again}) if confidence is None else (Outcome.ITERATE, again)

    return turn
