"""Rehearsal of the planner and of the executor: simulated agents, the project, and the sequel."""

import os
from typing import Final

from lib.workflow.command import Command
from lib.workflow.errors import RefusedError
from lib.workflow.state.run_documents import folder_at
from lib.workflow.state.run_folder import prepared
from lib.workflow.testing.reader import ReaderError, Run, option
from lib.workflow.util.search_path import which

from .commands.beginning import init
from .modules import EXECUTOR, PLANNER
from .next_step import due
from .simulation import plan, project
from .simulation.builder import Builder
from .simulation.trial import Trial
from .state.files import run_store
from .state.run_state import RunState

PROJECT: Final = project.PROJECT
TASK: Final = "Limit each caller's requests"
"""The task of the plan for an executor without a plan."""


def mind(run: Run, seed: int, fails: bool) -> Builder:
    """Return the simulated agents of both workflows."""
    return Builder(run, seed, fails)


def trial(run: Run) -> Trial:
    """Return a simulation of the trials with real agents that measure the process."""
    return Trial(run)


def prepare(start: Command) -> None:
    """Create a throw-away project, and for the executor an approved plan, if they do not exist.

    Raises ValueError if git is missing, or for the script of an agent; RefusedError if git cannot write.
    """
    if start.module not in (PLANNER, EXECUTOR):
        raise ValueError(f"{start.module} is the script of a sub-agent: rehearse planner or executor")
    if which("git") is None:
        raise ValueError("git is not installed; the rehearsal needs it for its own repository")
    state_dir = folder_at(option(start, "--state-dir"))
    place = os.path.join(state_dir, project.PROJECT)
    prepared(state_dir)
    try:
        project.begin(place)
        if start.module != EXECUTOR:
            init(state_dir, option(start, "--task"), project_root=place)
            return
        if not is_approved(state_dir):
            plan.approve(state_dir, place, TASK)
        project.move(place)
    except ReaderError as error:
        fix = "check the folder's permissions and free space, or rehearse in another folder"
        raise RefusedError("unwritable", place, str(error).strip(), fix) from None


def is_approved(state_dir: str) -> bool:
    """Return True if the run in the folder has an approved plan."""
    run = run_store(state_dir).find()
    return run is not None and run.approval is not None


def sequel(run: Run, start: Command) -> Command | None:
    """Return the command that a user runs after a run: the one on the last page of a planner."""
    state_dir = folder_at(option(start, "--state-dir"))
    return due(RunState(state_dir)).command(state_dir)
