"""A roster: agents whose number and tasks the agent before them chooses. Its declaration, and the rules of its list."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from attrs import frozen

from ..arguments.parameter import Arg, Parameter
from ..ast.fields import Node
from ..types import AgentRole, Outcome, Tier
from ..util.suggest import repeated
from .base import ROSTER_FILE, STANDARD_INPUT, HandlerKind, Result, Script, StepContext, Task

_PARAMETERS: Final[Mapping[str, Parameter]] = MappingProxyType(
    {
        ROSTER_FILE: Parameter(
            name=ROSTER_FILE,
            type=str,
            arg=Arg(description="the list of agents, on standard input", choices=(STANDARD_INPUT,)),
            default=None,
            required=True,
        )
    }
)


@frozen(kw_only=True, eq=False, repr=False)
class Roster(HandlerKind):
    """A handler that hands the step to the agents of a list; when all have replied, the outcome is OK.

    The step before prints the format of the list and a command that reads it from standard input. Every step imports
    this class, so attrs generates only the methods in use.
    """

    agent: AgentRole
    """Role of the agents."""
    tier: Tier | None = None
    """Strength of their model; by default that of the role."""
    script: Script
    """The workflow of each agent."""
    least: int = 1
    """Minimum number of agents."""
    most: int
    """Maximum number of agents."""
    at_most: int | None = None
    """Maximum number of agents that run at a time."""
    characters: int
    """Maximum length of a task in characters."""
    returns: str | None = None
    """The reply that each agent must give."""
    sample: tuple[Task, ...]
    """A sample list: the page shows it, and the proof of a workflow uses it."""

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        return _PARAMETERS

    @property
    def outcomes(self) -> tuple[frozenset[Outcome], frozenset[Outcome]]:
        return frozenset({Outcome.OK}), frozenset()

    @property
    def roster(self) -> "Roster":
        return self

    def result(self, context: StepContext) -> Result:
        return Outcome.OK, {}

    def launched(self, context: StepContext) -> Iterator[Node]:
        from .task_list import launched  # only the steps that dispatch need it

        return launched(self, context.tasks, self.script.command(context))

    def flaws(self) -> Iterator[str]:
        return (f"its sample: {fault}" for fault in self.faults(self.sample))

    def faults(self, tasks: Sequence[Task]) -> Iterator[str]:
        """Yield the errors of a list of tasks, each with a fix."""
        return roster_faults(tasks, self.least, self.most, self.characters)


def roster_faults(tasks: Sequence[Task], least: int, most: int, characters: int) -> Iterator[str]:
    """Yield the errors of a list of tasks, each with a fix.

    Args:
        tasks: The list.
        least: Minimum number of entries.
        most: Maximum number of entries; 0 for any.
        characters: Maximum length of a task; 0 for any.
    """
    if not least <= len(tasks) <= (most or len(tasks)):
        yield f"entries: {len(tasks)}; list {least} to {most}, one for each agent"
    ids = [task.id for task in tasks]
    for name in sorted(repeated(ids)):
        yield f"duplicate id {name!r}: ids must be unique"
    for task in tasks:
        if not task.text.strip():
            yield f"entry {task.id!r} is empty; write the task of its agent"
        if characters and len(task.text) > characters:
            yield f"entry {task.id!r} has {len(task.text):,} characters; the limit is {characters:,}"
