"""The command that starts a workflow, for whoever wants to see it run."""

from ..command import Command
from ..core import Workflow
from ..types import Value


def start(workflow: Workflow) -> Command:
    """The first step; what must be given is a sample, or the first of its legal values."""
    required = [item for item in workflow.taken_by(workflow.entry_point).values() if item.required]
    values: dict[str, Value] = {item.name: (*item.arg.samples, *item.choices, "…")[0] for item in required}
    return workflow.command(workflow.entry_point, values)
