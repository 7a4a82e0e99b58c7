"""Start of a run: its folder, its identity, an empty plan."""

import os
from typing import TYPE_CHECKING, Annotated, TypeAlias

from lib.workflow.ast.fields import Node
from lib.workflow.ast.results import EntityResult, Operation
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.errors import RefusedError
from lib.workflow.state import consent
from lib.workflow.state.run_dirs import READ_ONLY, holder, is_within, place_of_runs, runs_folders
from lib.workflow.state.run_folder import make_run

from ..state.empty import begin_plan
from ..state.files import PLAN_FILE, RUN_FILE, run_store
from .refusing import refusing

if TYPE_CHECKING:
    from ..schema.run import Run

Task: TypeAlias = Annotated[str, Flag(long=True, description="the request, in the user's words")]
Root: TypeAlias = Annotated[
    str | None, Flag(description="the project's folder (default: the working directory)", path=True)
]


def init(state_dir: str, task: Task, project_root: Root = None) -> Node:
    """Start a run in the state directory.

    The folder is made if it is missing. The same task again changes nothing. The project of a run in its own
    `.stepscript/runs` is the folder that holds it.
    """
    run = beginnable(state_dir, task, project_root)
    make_run(state_dir)
    if not os.path.lexists(os.path.join(state_dir, RUN_FILE)):
        consent.mark_or_say(state_dir, run.project_root)
    begun = run_store(state_dir).create(run, lambda found: _same(state_dir, found, run, project_root))
    begun |= begin_plan(state_dir)
    return EntityResult(id=run.id, version=1, operation=Operation.CREATED if begun else Operation.UNCHANGED)


def beginnable(state_dir: str, task: Task, project_root: Root = None) -> "Run":
    """Return the run that would start. Raises RefusedError if it cannot."""
    closed = READ_ONLY.intersection(state_dir.split(os.sep))
    if closed:
        fix = f"choose a folder elsewhere, such as one in {place_of_runs()}"
        raise RefusedError("invalid-value", state_dir, f"agents cannot write below {min(closed)}", fix)
    root = _root(state_dir, project_root)
    from ..schema.run import Run  # no other command needs its classes

    with refusing(state_dir):
        run = Run(id=os.path.basename(state_dir), task=task, project_root=root)
    found = run_store(state_dir).find() if os.path.isdir(state_dir) else None
    if found is not None:
        _same(state_dir, found, run, project_root)
    elif os.path.lexists(os.path.join(state_dir, PLAN_FILE)):
        fix = "choose another --state-dir, or move the files there away"
        raise RefusedError("state-exists", state_dir, f"it contains a {PLAN_FILE} without a run", fix)
    return run


def _root(state_dir: str, named: str | None) -> str:
    """Return the real folder of the project: the one whose folder of runs holds the run, else the named one."""
    held, root = holder(state_dir), os.path.realpath(named or _default_root(state_dir))
    if not os.path.isdir(root):
        raise RefusedError("invalid-value", root, "the folder does not exist", "name the project's folder")
    if held is None or (named is not None and is_within(root, os.path.realpath(state_dir))):
        return root
    if named is not None and root != held:
        fix = f"leave --project-root out, or choose a --state-dir outside of {held}"
        raise RefusedError("invalid-value", root, f"the run is in the project {held}", fix)
    return held


def _default_root(state_dir: str) -> str:
    """Return the project around the working directory for a run that is kept for it, else the working directory."""
    own, *others = runs_folders()
    return os.path.dirname(os.path.dirname(own)) if os.path.dirname(state_dir) in others else os.getcwd()


def _same(state_dir: str, found: "Run", run: "Run", project_root: str | None) -> bool:
    """Check that the run in the folder is this one. Raises RefusedError for the run of another task or project."""
    if found.task == run.task and (project_root is None or found.project_root == run.project_root):
        return True
    message = f"it holds the run of another task, in {found.project_root}: {found.task}"
    raise RefusedError("state-exists", state_dir, message, "choose another --state-dir")
