"""Runs as the commands name them: by their folder's name, its path, or none, which is the run that was last at work."""

import os
import shlex
import sys
from collections.abc import Iterator
from itertools import count, takewhile

from ..homes import runs_folder
from ..run.journal import JOURNAL, Event
from ..suggest import expected

DRIVER = "driver"
"""What the orchestrator program keeps in a run's folder, beside the workflow's own state.

Where another workflow goes on in the folder, it is driven in `driver-2`, and so on: the last one is the run at work.
"""


def _drivers(folder: str) -> list[str]:
    """Those in a run's folder that have begun, in their order."""
    paths = (os.path.join(folder, DRIVER if n == 1 else f"{DRIVER}-{n}") for n in count(1))
    return list(takewhile(lambda path: os.path.isfile(os.path.join(path, JOURNAL)), paths))


def fresh(folder: str) -> str:
    """The driver's folder of what begins in the folder of a run. Raises ValueError where the last has not ended."""
    from ..run.engine import entries

    begun = _drivers(folder)
    if not begun:
        return os.path.join(folder, DRIVER)
    past = entries(begun[-1])
    if past and past[-1].event not in (Event.DONE, Event.CANCELLED):
        how = f"go on with it by  {command_line('resume', spelled(begun[-1]))}"
        raise ValueError(f"{folder} holds a run that has not ended; {how}, or end it by `cancel`")
    return os.path.join(folder, f"{DRIVER}-{len(begun) + 1}")


def runs(root: str | None = None) -> Iterator[str]:
    """The driver's folders of a project's runs, the last at work first."""
    folder = runs_folder(root)
    names = os.listdir(folder) if os.path.isdir(folder) else []
    last = [path for name in names for path in _drivers(os.path.join(folder, name))[-1:]]
    return iter(sorted(last, key=lambda path: os.path.getmtime(os.path.join(path, JOURNAL)), reverse=True))


def find(name: str | None) -> str:
    """The driver's folder of a run. Raises ValueError, which says what there is."""
    if name is None:
        for run in runs():
            return run
        raise ValueError(f"{runs_folder()} holds no run that the program drives; begin one by `stepscript run`")
    for path in (os.path.join(runs_folder(), name), name):
        for driver in _drivers(os.path.abspath(path))[-1:]:
            return driver
    known = [name_of(run) for run in runs()]
    raise ValueError(f"there is no run {name!r:.80}; {expected(name, known) if known else 'there is none at all'}")


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
