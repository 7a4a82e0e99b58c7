"""The commands that the driver runs: steps of known workflows, with arguments that their parsers accept."""

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
    """The workflows that a run may reach."""

    def __init__(self, workflows: Iterable[Workflow]) -> None:
        self.workflows: Mapping[str, Workflow] = MappingProxyType({item.module: item for item in workflows})

    @cached_property
    def graphs(self) -> Graphs:
        """Return their graphs."""
        return graphs_of(self.workflows.values())

    def accept(self, command: Command) -> Command:
        """Return the command with this interpreter instead of its own. Raises UsageError for an unknown command."""
        workflow = self.workflows.get(command.module)
        if workflow is None:
            near = expected(command.module, sorted(self.workflows))
            raise UsageError(f"no installed workflow uses module {command.module!r:.80}; {near}")
        read_call(workflow, command.words)
        return Command(command.module, command.words)
