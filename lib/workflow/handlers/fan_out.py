"""Agents whose number and tasks the agent before them chooses: what the step declares, and what its list must hold."""

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

    Whatever step leads here prints the form of the list and a command that reads it from standard input. Every step
    imports this class, so attrs generates only what is used.
    """

    agent: AgentRole
    tier: Tier | None = None
    script: Script
    """The workflow of each agent."""
    least: int = 1
    most: int
    """How many agents there can be."""
    at_most: int | None = None
    """How many of them run at a time."""
    characters: int
    """How long a task can be."""
    returns: str | None = None
    sample: tuple[Task, ...]
    """A list as the form shows it; a workflow is proved with it."""

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
        from .task_list import launched  # only the steps that dispatch pay for it

        return launched(self, context.tasks, self.script.command(context))

    def flaws(self) -> Iterator[str]:
        return (f"its sample: {fault}" for fault in self.faults(self.sample))

    def faults(self, tasks: Sequence[Task]) -> Iterator[str]:
        """What is wrong with a list of tasks, and what to do about it."""
        if not self.least <= len(tasks) <= self.most:
            yield f"{len(tasks)} entries; list {self.least} to {self.most}, one for each agent"
        ids = [task.id for task in tasks]
        for name in sorted(repeated(ids)):
            yield f"{name!r} stands there twice; give each entry an id of its own"
        for task in tasks:
            if not task.text.strip():
                yield f"entry {task.id!r} is empty; say what its agent is to do"
            if len(task.text) > self.characters:
                yield f"entry {task.id!r} has {len(task.text):,} characters; say it in {self.characters:,}"
