"""Agents whose number and tasks the agent before them chooses: what the step declares, and what its list must hold."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from attrs import frozen

from .types import AgentRole, Tier

if TYPE_CHECKING:
    from .steps import Script

ROSTER_FILE: Final = "roster_file"
"""The parameter of a step with a roster."""
STANDARD_INPUT: Final = "-"
"""Its one value: the list is text of the agent's own, so it does not travel in the command, and no file is named."""


class Task(NamedTuple):
    """What one agent of a roster is told. Its reply goes by the id."""

    id: str
    text: str


@frozen(kw_only=True, eq=False, repr=False)
class Roster:
    """A handler that hands the step to the agents of a list; when all have replied, the outcome is OK.

    Whatever step leads here prints the form of the list and a command that reads it from standard input. Every step
    imports this class, so attrs generates only what is used.
    """

    agent: AgentRole
    tier: Tier | None = None
    script: "Script"
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

    def faults(self, tasks: Sequence[Task]) -> Iterator[str]:
        """What is wrong with a list of tasks, and what to do about it."""
        if not self.least <= len(tasks) <= self.most:
            yield f"{len(tasks)} entries; list {self.least} to {self.most}, one for each agent"
        ids = [task.id for task in tasks]
        for name in sorted({name for name in ids if ids.count(name) > 1}):
            yield f"{name!r} stands there twice; give each entry an id of its own"
        for task in tasks:
            if not task.text.strip():
                yield f"entry {task.id!r} is empty; say what its agent is to do"
            if len(task.text) > self.characters:
                yield f"entry {task.id!r} has {len(task.text):,} characters; say it in {self.characters:,}"
