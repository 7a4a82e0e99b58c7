"""Start of a run: its folder, its identity, an empty plan."""

import os
from typing import TYPE_CHECKING

from lib.workflow.errors import RefusedError
from lib.workflow.state import consent
from lib.workflow.state.run_dirs import READ_ONLY, holder, is_within, place_of_runs, runs_folders
from lib.workflow.state.run_documents import has_document
from lib.workflow.state.run_folder import make_run

from .empty import begin_plan
from .files import PLAN_FILE, RUN_FILE, run_store

if TYPE_CHECKING:
    from ..schema.run import Run


def begin_run(state_dir: str, task: str, project_root: str | None = None) -> "tuple[Run, bool]":
    """Start a run, and return it with True; with False if it has started before. Raises RefusedError if it cannot."""
    run = beginnable(state_dir, task, project_root)
    make_run(state_dir)
    if not has_document(os.path.join(state_dir, RUN_FILE)):
        consent.mark_or_say(state_dir, run.project_root)
    begun = run_store(state_dir).create(run, lambda found: _same(state_dir, found, run, project_root))
    begun |= begin_plan(state_dir)
    return run, begun


def beginnable(state_dir: str, task: str, project_root: str | None = None) -> "Run":
    """Return the run that would start. Raises RefusedError if it cannot."""
    closed = READ_ONLY.intersection(state_dir.split(os.sep))
    if closed:
        fix = f"choose a folder elsewhere, such as one in {place_of_runs()}"
        raise RefusedError("invalid-value", state_dir, f"agents cannot write below {min(closed)}", fix)
    root = _root(state_dir, project_root)
    from ..schema.run import Run  # no other command needs its classes

    try:
        run = Run(id=os.path.basename(state_dir), task=task, project_root=root)
    except ValueError as error:
        raise RefusedError("invalid-value", state_dir, str(error), "nothing was changed; send a valid value") from None
    found = run_store(state_dir).find() if has_document(os.path.join(state_dir, RUN_FILE)) else None
    if found is not None:
        _same(state_dir, found, run, project_root)
    elif has_document(os.path.join(state_dir, PLAN_FILE)):
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
