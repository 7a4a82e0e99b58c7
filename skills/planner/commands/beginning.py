"""The beginning of a run: its folder, its identity, an empty plan."""

import os
from typing import TYPE_CHECKING, Annotated

from lib.workflow.ast.declare import Node
from lib.workflow.ast.results import EntityResult, Operation
from lib.workflow.errors import RefusedError
from lib.workflow.homes import READ_ONLY, place_of_runs
from lib.workflow.run_folder import make_run
from lib.workflow.table.arguments import Flag

from ..state.empty import begin_plan
from ..state.files import run_store
from .refusing import refusing

if TYPE_CHECKING:
    from ..schema.run import Run


def init(
    state_dir: str,
    task: Annotated[str, Flag(long=True, description="what the user asks for, in the user's words")],
    project_root: Annotated[
        str | None, Flag(description="the project's folder; the working directory by default")
    ] = None,
) -> Node:
    """Begin a run in the state directory.

    The folder is made where there is none. The same task again changes nothing.
    """
    closed = READ_ONLY.intersection(state_dir.split(os.sep))
    if closed:
        fix = f"choose a folder elsewhere, such as one in {place_of_runs()}"
        raise RefusedError("invalid-value", state_dir, f"agents cannot write below {min(closed)}", fix)
    root = os.path.abspath(project_root or os.getcwd())
    if not os.path.isdir(root):
        raise RefusedError("invalid-value", root, "there is no such folder", "name the project's folder")
    from ..schema.run import Run  # no other command needs its classes

    with refusing(state_dir):
        run = Run(id=os.path.basename(state_dir), task=task, project_root=root)

    def same(found: "Run") -> bool:
        if found.task == task and (project_root is None or found.project_root == root):
            return True
        message = f"it holds the run of another task, in {found.project_root}: {found.task}"
        raise RefusedError("state-exists", state_dir, message, "choose another --state-dir")

    make_run(state_dir)
    begun = run_store(state_dir).create(run, same)
    begun |= begin_plan(state_dir)
    return EntityResult(id=run.id, version=1, operation=Operation.CREATED if begun else Operation.UNCHANGED)
