"""The simulated runs that are measured: each workflow that people start, and planner and executor as one run."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from functools import cache, partial
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Final
from unittest.mock import patch

from attrs import frozen

from lib.workflow.app.driving import sample_command
from lib.workflow.app.starts import starts_by_hand
from lib.workflow.command import LAUNCHER_VARIABLE, Command
from lib.workflow.core import Workflow
from lib.workflow.discovery import discover_workflows, search
from lib.workflow.homes import HOME, new_name
from lib.workflow.shell import join
from lib.workflow.table.calls import load
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.meter import Meter, MeteredReader, Shown, Tables
from lib.workflow.testing.reader import Mind, Page, Run, Simple
from lib.workflow.testing.stage import beside, memory
from lib.workflow.testing.tables import homes_of_tables
from lib.workflow.types import Outcome
from skills.planner import rehearsal

PACKAGE: Final = "skills"
REQUEST: Final = "Limit each caller's requests"
FULL: Final = "full"
REHEARSAL: Final = "rehearsal"
MARK: Final = b"run"
PYTHON: Final = "/home/user/.venv/bin/python"
PROJECT: Final = "/home/user/project"
CHECKOUT: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SITE: Final = "/home/user/.venv/lib/python3/site-packages"
"""How the interpreter, the project and our own files are called in what is counted, wherever they are here."""
_QUOTED: Final = re.compile(r"'([\w./=-]*/home/user/[\w./=-]*)'")
"""A word in quotes that needs none any more."""


class Thorough(Simple):
    """A mind for a skill that has none: one round of each loop, then every step that leads on, no short cut."""

    def decide(self, page: Page, ways: tuple[Outcome, ...], replies: tuple[str, ...]) -> Outcome:
        """Choose by the replies and the rounds like `Simple`, else OK, else the first way."""
        chosen = super().decide(page, ways, replies)
        if chosen is Outcome.ITERATE or (replies and {Outcome.OK, Outcome.FAIL} <= set(ways)):
            return chosen
        return Outcome.OK if Outcome.OK in ways else ways[0]


@frozen(kw_only=True)
class Simulation:
    """One run to be measured."""

    workflow: str
    depth: str = FULL
    words: tuple[str, ...] = ()
    """More words for the first command."""
    mind: Callable[[Run], Mind]
    start: Callable[[str], Command]
    """Returns the first command of a run in a state directory."""
    goes_on: bool = False
    """Whether the run goes on with the workflow that its skill names as the sequel."""


@frozen(kw_only=True)
class Measured:
    """What the agents of a simulation were shown."""

    workflow: str
    depth: str
    agents: int
    """How many were launched; the orchestrating agent is not among them."""
    prints: tuple[Shown, ...]


def simulations() -> Iterator[Simulation]:
    """All runs, the planner's first."""
    planner = discover_workflows(PACKAGE)["planner"]
    yield Simulation(
        workflow="planner+executor",
        mind=rehearsal.trial,
        start=partial(sample_command, planner, REQUEST),
        goes_on=True,
    )
    for found in search(PACKAGE)[0]:
        if starts_by_hand(found):
            yield _alone(found.workflow)


def _alone(workflow: Workflow) -> Simulation:
    """A workflow without a sequel, by the mind that its skill has for rehearsals."""
    return Simulation(
        workflow=workflow.name,
        mind=partial(_mind, beside(workflow.module, REHEARSAL)),
        start=partial(sample_command, workflow, REQUEST),
    )


def _mind(skill: ModuleType | None, run: Run) -> Mind:
    made: Mind = skill.mind(run, 0, False) if skill else Thorough()
    return made


def measure(simulation: Simulation) -> Measured:
    """Run a simulation in a temporary folder, in this process."""
    with TemporaryDirectory(prefix="stepscript-", dir=memory()) as folder:
        root = os.path.realpath(folder)
        with patch.dict(os.environ, {LAUNCHER_VARIABLE: f"{PYTHON} -P"}), chdir(root):
            return _measured(simulation, root)


def _measured(simulation: Simulation, root: str) -> Measured:
    state_dir = os.path.join(root, HOME, "runs", new_name(REQUEST, MARK))
    first = simulation.start(state_dir)
    start = Command(first.module, (*first.words, *simulation.words))
    skill = beside(start.module, REHEARSAL)
    if skill is not None and hasattr(skill, "prepare"):
        skill.prepare(start)
    meter = Meter(run_here, _tables(), partial(normalised, root=root, state_dir=state_dir))
    reader = MeteredReader(simulation.mind(meter), meter)
    reader.read(start)
    if simulation.goes_on:
        assert skill is not None
        reader.read(skill.sequel(meter, start))
    return Measured(
        workflow=simulation.workflow, depth=simulation.depth, agents=meter.launched, prints=tuple(meter.shown)
    )


def normalised(text: str, root: str, state_dir: str) -> str:
    """Replace the names of folders and of the interpreter, which have another length on another machine.

    A rehearsal keeps its project in the state directory; users' state directories are in their projects.
    """
    names = {
        os.path.join(state_dir, "project"): PROJECT,
        root: PROJECT,
        join((sys.executable,)): PYTHON,
        sys.executable: PYTHON,
        CHECKOUT: SITE,
    }
    for name, instead in names.items():
        text = text.replace(name, instead)
    return _QUOTED.sub(r"\1", text)


@cache
def _tables() -> Tables:
    tables = map(load, homes_of_tables(PACKAGE))
    return {table.module: table for table in tables}
