"""Commands that show a run."""

from typing import Annotated

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Code, Element
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.codec import codec

from ..due import due
from ..record import Candidate, Question, Run, Source, Sweep, Task
from .telling import one


def show(
    run: Run,
    name: Annotated[str, Flag(positional=True, description="the id of a source, sweep, candidate, question or task")],
) -> Node:
    """Show one entry as JSON, whole."""
    every: tuple[Source | Sweep | Candidate | Question | Task, ...]
    every = (*run.sources, *run.sweeps, *run.candidates, *run.questions, *run.tasks)
    found = one(every, name)
    return Code(language="json", text=codec(type(found)).dumps(found))


def status(run: Run) -> Node:
    """Count the entries of the run, and name its next step."""
    attributes = {
        "due": due(run)[0],
        "sweeps": f"{len(run.sweeps) - len(run.open_sweeps())}/{len(run.sweeps)}",
        "candidates": str(len(run.candidates)),
        "questions": str(len(run.questions)),
        "tasks": str(len(run.tasks)),
    }
    return Element("status", attributes)
