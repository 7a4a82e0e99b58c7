"""Runs as the commands name them: by their folder's name, its path, or none, which is the run that was last at work."""

import os
import shlex
import sys
from collections.abc import Iterator
from itertools import count, takewhile

from ..run.journal import JOURNAL
from ..run.temporal.place import RECORD
from ..state.consent import is_marked
from ..state.run_dirs import changed, run_folders, runs_folder, runs_folders
from ..util.suggest import expected

DRIVER = "driver"
"""What the orchestrator program keeps in a run's folder, beside the workflow's own state.

Where another workflow goes on in the folder, it is driven in `driver-2`, and so on: the last one is the run at work.
"""


def drivers(folder: str) -> list[str]:
    """Those in a run's folder that have begun, in their order."""
    paths = (os.path.join(folder, DRIVER if n == 1 else f"{DRIVER}-{n}") for n in count(1))
    return list(takewhile(_said, paths))


def _said(driver: str) -> str | None:
    """The file that says what has happened in a run, or who knows."""
    paths = (os.path.join(driver, JOURNAL), os.path.join(driver, RECORD))
    return next((path for path in paths if os.path.isfile(path)), None)


def runs(root: str | None = None) -> Iterator[str]:
    """The driver's folders of a project's runs, the last at work first."""
    last = [driver for folder in run_folders(root) for driver in drivers(folder)[-1:]]
    return iter(sorted(last, key=_touched, reverse=True))


def _touched(driver: str) -> float:
    return changed(_said(driver) or driver)


def find(name: str | None) -> str:
    """The driver's folder of a run. Without a name, that of the user's own run that was last at work, else of another.

    Raises ValueError, which says what there is.
    """
    if name is None:
        every = list(runs())
        for run in (*filter(is_marked, every), *every):
            return run
        raise ValueError(f"{runs_folder()} holds no run that the program drives; begin one by `stepscript run`")
    for path in _paths(name):
        for driver in drivers(os.path.abspath(path))[-1:]:
            return driver
    known = [name_of(run) for run in runs()]
    raise ValueError(f"there is no run {name!r:.80}; {expected(name, known) if known else 'there is none at all'}")


def folder_of(name: str) -> str:
    """The folder of a run, by its name or its path. Raises ValueError, which says what there is."""
    for path in _paths(name):
        if os.path.isdir(path):
            return os.path.abspath(path)
    known = [os.path.basename(path) for path in run_folders()]
    raise ValueError(f"there is no run {name!r:.80}; {expected(name, known) if known else 'there is none at all'}")


def undriven(name: str | None) -> str | None:
    """The state directory that is named, where the program does not drive what runs there; None where it does.

    Of a project none of whose runs the program drives, the folder that was last changed, where none is named.
    """
    if name is None:
        folders = run_folders()
        return None if any(map(drivers, folders)) else next(iter(folders), None)
    for path in _paths(name):
        if os.path.isdir(path):
            return None if drivers(path) else os.path.abspath(path)
    return None


def _paths(name: str) -> tuple[str, ...]:
    return (*(os.path.join(folder, name) for folder in runs_folders()), name)


def name_of(run: str) -> str:
    """The name of a run: its folder's."""
    return os.path.basename(os.path.dirname(run))


def command_line(*words: str) -> str:
    """A command of ours that can be copied; a run of the project at hand goes by its name."""
    program = "stepscript" if os.path.basename(sys.argv[0]) == "stepscript" else sys.argv[0]
    return shlex.join((program, *words))


def spelled(run: str) -> str:
    """How a run is named in a command: by its name where that is found, else by its folder."""
    here = os.path.dirname(os.path.dirname(run)) in runs_folders()
    return name_of(run) if here else os.path.dirname(run)
