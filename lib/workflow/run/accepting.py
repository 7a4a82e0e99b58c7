"""Which commands the program runs: those of steps of the workflows that it knows, as their own parsers take them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ..calls import read_call
from ..command import Command
from ..core import Workflow
from ..errors import UsageError
from ..suggest import expected


class Known:
    """The workflows that a run may come to."""

    def __init__(self, workflows: Iterable[Workflow]) -> None:
        self.workflows: Mapping[str, Workflow] = MappingProxyType({item.module: item for item in workflows})

    def accept(self, command: Command) -> Command:
        """The command, by this interpreter, whatever it named itself. Raises UsageError for one that is not ours."""
        workflow = self.workflows.get(command.module)
        if workflow is None:
            near = expected(command.module, sorted(self.workflows))
            raise UsageError(f"{command.module!r:.80} is the script of no workflow here; {near}")
        read_call(workflow, command.words)
        return Command(command.module, command.words)
