"""Runs as the commands name them: by their folder's name, its path, or none, which is the run that was last at work."""

import os
import shlex
import sys
from collections.abc import Iterator

from ..homes import runs_folder
from ..run.journal import JOURNAL
from ..suggest import expected

DRIVER = "driver"
"""What the orchestrator program keeps in a run's folder, beside the workflow's own state."""


def runs(root: str | None = None) -> Iterator[str]:
    """The driver's folders of a project's runs, the last at work first."""
    folder = runs_folder(root)
    names = os.listdir(folder) if os.path.isdir(folder) else []
    found = [os.path.join(folder, name, DRIVER) for name in names]
    begun = [path for path in found if os.path.isfile(os.path.join(path, JOURNAL))]
    return iter(sorted(begun, key=lambda path: os.path.getmtime(os.path.join(path, JOURNAL)), reverse=True))


def find(name: str | None) -> str:
    """The driver's folder of a run. Raises ValueError, which says what there is."""
    if name is None:
        for run in runs():
            return run
        raise ValueError(f"{runs_folder()} holds no run that the program drives; begin one by `stepscript run`")
    for path in (os.path.join(runs_folder(), name), name):
        folder = os.path.abspath(os.path.join(path, DRIVER))
        if os.path.isfile(os.path.join(folder, JOURNAL)):
            return folder
    known = [name_of(run) for run in runs()]
    raise ValueError(f"there is no run {name!r:.80}; {expected(name, known) if known else 'there is none at all'}")


def undriven(name: str | None) -> str | None:
    """The state directory that is named, where the program does not drive what runs there; None where it does."""
    for path in (os.path.join(runs_folder(), name), name) if name else _latest():
        if os.path.isdir(path):
            return None if os.path.isfile(os.path.join(path, DRIVER, JOURNAL)) else os.path.abspath(path)
    return None


def _latest() -> Iterator[str]:
    """The folder of the run that was last changed."""
    folder = runs_folder()
    names = os.listdir(folder) if os.path.isdir(folder) else []
    paths = [os.path.join(folder, name) for name in names if not next(runs(), None)]
    yield from sorted(paths, key=os.path.getmtime, reverse=True)[:1]


def name_of(run: str) -> str:
    """The name of a run: its folder's."""
    return os.path.basename(os.path.dirname(run))


def command_line(*words: str) -> str:
    """A command of ours that can be copied; a run of the project at hand goes by its name."""
    program = "stepscript" if os.path.basename(sys.argv[0]) == "stepscript" else sys.argv[0]
    return shlex.join((program, *words))


def spelled(run: str) -> str:
    """How a run is named in a command: by its name where that is found, else by its folder."""
    here = os.path.dirname(os.path.dirname(run)) == runs_folder()
    return name_of(run) if here else os.path.dirname(run)
