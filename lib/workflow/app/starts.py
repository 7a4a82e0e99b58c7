"""The command that starts a workflow, for whoever wants to see it run."""

from ..command import Command, flags
from ..core import Workflow
from ..types import Value


def start(workflow: Workflow) -> Command:
    """The first step; what must be given is a sample, or the first of its legal values, where there is one."""
    required = [item for item in workflow.taken_by(workflow.entry_point).values() if item.required]
    samples = {item.name: (*item.arg.samples, *item.choices) for item in required}
    values: dict[str, Value] = {name: known[0] for name, known in samples.items() if known}
    return workflow.command(workflow.entry_point, values)


def bare_start(workflow: Workflow) -> Command:
    """The first step, told nothing."""
    return Command(workflow.module, flags({"step": workflow.number(workflow.entry_point)}))
