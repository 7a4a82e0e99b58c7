"""How the planner is rehearsed, and what it makes is carried out: who plays, on what, and what comes after what."""

import os
import shutil
from typing import Final

from lib.workflow.command import Command
from lib.workflow.errors import RefusedError
from lib.workflow.state.run_folder import prepared
from lib.workflow.testing.reader import ReaderError, Run, option

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
"""Of the plan that an executor without one carries out."""


def mind(run: Run, seed: int, fails: bool) -> Builder:
    """Who plays the agents of both."""
    return Builder(run, seed, fails)


def trial(run: Run) -> Trial:
    """Who plays a run like the trials with real agents, which the process is measured by."""
    return Trial(run)


def prepare(start: Command) -> None:
    """A throw-away project, and for the executor an approved plan for it, as far as they are not there.

    Raises ValueError where there is no git, and for the script of an agent; RefusedError where git cannot write.
    """
    if start.module not in (PLANNER, EXECUTOR):
        raise ValueError(f"{start.module} is the script of an agent that a run launches: rehearse planner, or executor")
    if shutil.which("git") is None:
        raise ValueError("git is not here, and the rehearsal builds in a repository of its own; install it")
    state_dir = os.path.abspath(option(start, "--state-dir"))
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
        fix = "see to the folder's rights and room, then rehearse in another folder"
        raise RefusedError("unwritable", place, str(error).strip(), fix) from None


def is_approved(state_dir: str) -> bool:
    """Whether a run in the folder has come to an approved plan."""
    run = run_store(state_dir).find()
    return run is not None and run.approval is not None


def sequel(run: Run, start: Command) -> Command | None:
    """What a user begins when a run has come to its end: the command that the last page of a planner shows."""
    state_dir = os.path.abspath(option(start, "--state-dir"))
    return due(RunState(state_dir)).command(state_dir)
