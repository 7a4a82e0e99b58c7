"""Lookup of runs as commands name them: by folder name, by path, or without a name, the run that was last at work."""

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from itertools import count, takewhile

from ..run.journal import JOURNAL
from ..run.temporal.place import RECORD
from ..state.consent import is_marked
from ..state.run_dirs import changed, run_folders, runs_folder, runs_folders
from ..util.suggest import expected
from .conventions import project_words

DRIVER = "driver"
"""Folder of the driver's files in a run's folder, beside the workflow's own state.

If another workflow goes on in the folder, its driver uses `driver-2`, and so on: the last one is the current run.
"""


def drivers(folder: str) -> list[str]:
    """Return the driver's folders in a run's folder that have started, in order."""
    paths = (os.path.join(folder, DRIVER if n == 1 else f"{DRIVER}-{n}") for n in count(1))
    return list(takewhile(_said, paths))


def _said(driver: str) -> str | None:
    """Return the file that records a run, or its server."""
    paths = (os.path.join(driver, JOURNAL), os.path.join(driver, RECORD))
    return next((path for path in paths if os.path.isfile(path)), None)


def runs(root: str | None = None) -> Iterator[str]:
    """Yield the driver's folders of a project's runs, the last at work first."""
    last = [driver for folder in run_folders(root) for driver in drivers(folder)[-1:]]
    return iter(sorted(last, key=_touched, reverse=True))


def _touched(driver: str) -> float:
    return changed(_said(driver) or driver)


def find(name: str | None) -> str:
    """Return the driver's folder of a run; without a name, of the last run at work, the user's own first.

    Raises ValueError, which lists the runs.
    """
    if name is None:
        every = list(runs())
        for run in (*filter(is_marked, every), *every):
            return run
        raise ValueError(f"{runs_folder()} holds no run that stepscript drives; start one with `stepscript run`")
    for path in _paths(name):
        for driver in drivers(os.path.abspath(path))[-1:]:
            return driver
    raise _unknown(name, [name_of(run) for run in runs()])


def folder_of(name: str) -> str:
    """Return the folder of a run, by its name or its path. Raises ValueError, which lists the runs."""
    for path in _paths(name):
        if os.path.isdir(path):
            return os.path.abspath(path)
    raise _unknown(name, [os.path.basename(path) for path in run_folders()])


def _unknown(name: str, known: Sequence[str]) -> ValueError:
    return ValueError(f"no run is named {name!r:.80}; {expected(name, known) if known else 'this project has no runs'}")


def undriven(name: str | None) -> str | None:
    """Return the named state directory if stepscript does not drive its run, else None.

    Without a name, return the folder that was last changed, if stepscript drives no run of the project.
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
    """Return the name of a run: its folder's."""
    return os.path.basename(os.path.dirname(run))


def command_line(*words: str) -> str:
    """Return one of our commands, ready to copy."""
    program = "stepscript" if os.path.basename(sys.argv[0]) == "stepscript" else sys.argv[0]
    return shlex.join((program, *words[:1], *project_words(), *words[1:]))


def spelled(run: str) -> str:
    """Return the name of a run for a command: its own if it can be found, else its folder."""
    here = os.path.dirname(os.path.dirname(run)) in runs_folders()
    return name_of(run) if here else os.path.dirname(run)
