"""Commands that show a run."""

import json
from typing import Annotated

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Code, Element
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.codec import codec
from lib.workflow.util.characters import plain_json

from ..due import due
from ..record import Candidate, Question, Run, Source, Sweep, Task
from .telling import one


def show(
    run: Run,
    names: Annotated[str, Flag(positional=True, description="ids of sources, sweeps, candidates, questions or tasks")],
) -> Node:
    """Show entries whole, a JSON object on a line for each. Several ids are joined by commas: `C-001,C-002`."""
    every: tuple[Source | Sweep | Candidate | Question | Task, ...]
    every = (*run.sources, *run.sweeps, *run.candidates, *run.questions, *run.tasks)
    return Code(language="json", text="\n".join(_line(one(every, name)) for name in names.split(",")))


def _line(entry: Source | Sweep | Candidate | Question | Task) -> str:
    """Return an entry as JSON on one line, without fields that hold nothing."""
    document: dict[str, object] = json.loads(codec(type(entry)).dumps(entry))
    filled = {key: value for key, value in document.items() if value not in (None, [])}
    return plain_json(json.dumps(filled, ensure_ascii=False))


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
