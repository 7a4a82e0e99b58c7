"""The command that starts a run."""

from typing import Annotated, TypeAlias

from lib.workflow.ast.fields import Node
from lib.workflow.ast.results import EntityResult, Operation
from lib.workflow.cli.table.arguments import Flag

from ..state.beginning import begin_run

Task: TypeAlias = Annotated[str, Flag(long=True, description="the request, in the user's words")]
Root: TypeAlias = Annotated[
    str | None, Flag(description="the project's folder (default: the working directory)", path=True)
]


def init(state_dir: str, task: Task, project_root: Root = None) -> Node:
    """Start a run in the state directory.

    The folder is made if it is missing. The same task again changes nothing. The project of a run in its own
    `.stepscript/runs` is the folder that holds it.
    """
    run, begun = begin_run(state_dir, task, project_root)
    return EntityResult(id=run.id, version=1, operation=Operation.CREATED if begun else Operation.UNCHANGED)
