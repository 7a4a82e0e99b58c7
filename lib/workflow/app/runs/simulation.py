"""A simulated run of a workflow in a temporary folder, and the texts shown to its agents."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import chdir
from functools import partial
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Final

from attrs import frozen

from ...cli.table.calls import load
from ...command import LAUNCHER_VARIABLE, Command
from ...command.quoting import join
from ...discovery import Found
from ...run.defaults import REHEARSAL
from ...state.run_dirs import HOME, new_name
from ...testing.costs import Shown
from ...testing.inprocess import environment, run_here
from ...testing.meter import Meter, MeteredReader, Tables
from ...testing.reader import Mind, ReaderError, Run, Thorough
from ...testing.stage import beside, memory
from ...testing.tables import homes_of_tables
from ..skills.shelves import package_of
from .driving import sample_command

PYTHON: Final = "/home/user/.venv/bin/python"
PROJECT: Final = "/home/user/project"
SITE: Final = "/home/user/.venv/lib/python3/site-packages"
"""Fixed names in measured texts for the interpreter, the user's project and installed packages."""
_QUOTED: Final = re.compile(r"'([\w./=-]*/home/user/[\w./=-]*)'")
"""Pattern of a quoted word that needs no quotes under the fixed names."""
MARK: Final = b"run"
"""End of the name of the run's folder."""


@frozen(kw_only=True)
class Simulation:
    """A run to simulate."""

    found: Found
    request: str = ""
    words: tuple[str, ...] = ()
    """Further words for its first command."""
    mind: Callable[[Run], Mind] | None = None
    """Factory of the simulator of all agents; by default that of the skill's rehearsals, else `Thorough`."""
    goes_on: bool = False
    """True if the orchestrating agent goes on with the workflow that the skill names as the sequel."""


def simulate(simulation: Simulation) -> tuple[Shown, ...]:
    """Simulate a run.

    Returns:
        The texts shown to its agents, in order: the same on every machine.

    Raises:
        ValueError: If the workflow cannot be started or followed.
    """
    launched = environment({LAUNCHER_VARIABLE: f"{PYTHON} -P"})
    with TemporaryDirectory(prefix="stepscript-", dir=memory()) as folder, launched, chdir(folder):
        try:
            return _shown(simulation, os.path.realpath(folder))
        except ReaderError as error:
            raise ValueError(f"{simulation.found.workflow.name} cannot be simulated to its end: {error}") from None


def _shown(simulation: Simulation, root: str) -> tuple[Shown, ...]:
    workflow, package = simulation.found.workflow, package_of(simulation.found)
    state_dir = os.path.join(root, HOME, "runs", new_name(MARK))
    first = sample_command(workflow, simulation.request, state_dir)
    start = Command(first.module, (*first.words, *simulation.words))
    skill = beside(start.module, REHEARSAL)
    if skill is not None and hasattr(skill, "prepare"):
        skill.prepare(start)
    project = os.path.join(state_dir, skill.PROJECT) if skill is not None and hasattr(skill, "PROJECT") else root
    meter = Meter(run_here, tables_of(package), partial(normalised, names=_names(root, project, package)))
    reader = MeteredReader(_mind(simulation, skill, meter), meter)
    reader.read(start)
    if simulation.goes_on and skill is not None:
        reader.read(skill.sequel(meter, start))
    return tuple(meter.shown)


def _mind(simulation: Simulation, skill: ModuleType | None, run: Run) -> Mind:
    if simulation.mind is not None:
        return simulation.mind(run)
    mind: Mind = skill.mind(run, 0, False) if skill is not None and hasattr(skill, "mind") else Thorough()
    return mind


def tables_of(package: str) -> Tables:
    """Return the command tables of a package."""
    return {table.module: table for table in map(load, homes_of_tables(package))}


def normalised(text: str, names: Mapping[str, str]) -> str:
    """Replace the names of folders and of the interpreter, whose length differs between machines."""
    for name, instead in names.items():
        text = text.replace(name, instead)
    return _QUOTED.sub(r"\1", text)


def _names(root: str, project: str, package: str) -> Mapping[str, str]:
    """Return the replacements, in order: the project may be in the root, the interpreter in a checkout."""
    installed = {folder: SITE for name in (__name__, package) for folder in _folders(name)}
    interpreter = dict.fromkeys((join((sys.executable,)), sys.executable), PYTHON)
    return {project: PROJECT, root: PROJECT, **interpreter, **installed}


def _folders(package: str) -> Iterable[str]:
    spec = find_spec(package.partition(".")[0])
    return [os.path.dirname(os.path.realpath(folder)) for folder in (spec and spec.submodule_search_locations) or ()]
