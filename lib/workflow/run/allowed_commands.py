"""Which commands the program runs: those of steps of the workflows that it knows, as their own parsers take them."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from types import MappingProxyType

from ..cli.calls import read_call
from ..command import Command
from ..core import Workflow
from ..errors import UsageError
from ..util.suggest import expected
from .graphs import Graphs, graphs_of


class Known:
    """The workflows that a run may come to."""

    def __init__(self, workflows: Iterable[Workflow]) -> None:
        self.workflows: Mapping[str, Workflow] = MappingProxyType({item.module: item for item in workflows})

    @cached_property
    def graphs(self) -> Graphs:
        """Their graphs."""
        return graphs_of(self.workflows.values())

    def accept(self, command: Command) -> Command:
        """The command, by this interpreter, whatever it named itself. Raises UsageError for one that is not ours."""
        workflow = self.workflows.get(command.module)
        if workflow is None:
            near = expected(command.module, sorted(self.workflows))
            raise UsageError(f"{command.module!r:.80} is the script of no workflow here; {near}")
        read_call(workflow, command.words)
        return Command(command.module, command.words)
