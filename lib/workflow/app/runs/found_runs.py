"""Lookup of runs by handle: a name or the beginning of one, a path, `last`; without one, the run last at work."""

import os
import re
import stat
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ...arguments.parameter import URL_SCHEMES
from ...command.quoting import join
from ...run.journal.journal import JOURNAL
from ...run.temporal.place import RECORD
from ...state.consent import is_marked
from ...state.files import private_folder
from ...state.run_dirs import NAME, changed, latest_folders, run_folders, runs_folder, runs_folders
from ...state.run_documents import folder_at
from ...util.plurals import count as count_of
from ...util.suggest import expected
from ..conventions import project_words

if TYPE_CHECKING:
    from .standings import Choice

LAST: Final = "last"
"""Handle of the run that was last at work."""
LEAST: Final = 4
"""Minimum letters of a name's beginning where the word could also be an answer."""
DRIVER = "driver"
"""Folder of the driver's files in a run's folder, beside the workflow's own state.

If another workflow goes on in the folder, its driver uses `driver-2`, and so on: the last one is the current run.
"""


def drivers(folder: str) -> list[str]:
    """Return the driver's folders in a run's folder that have started, in order."""
    return [driver for _, driver in _started(folder)]


def _started(folder: str) -> list[tuple[float, str]]:
    """Return each of the driver's folders that has started, in order, after the time of its last event."""
    started: list[tuple[float, str]] = []
    driver = f"{folder}{os.sep}{DRIVER}"
    while (last := _last_event(driver)) is not None:
        started.append((last, driver))
        driver = f"{folder}{os.sep}{DRIVER}-{len(started) + 1}"
        if not os.access(driver, os.F_OK):  # cheaper than to look for its files
            break
    return started


def _last_event(driver: str) -> float | None:
    """Return the time of the last change of the file that records a run, or its server; None without one."""
    for name in (JOURNAL, RECORD):
        try:
            found = os.stat(f"{driver}{os.sep}{name}")
        except OSError:
            continue
        if stat.S_ISREG(found.st_mode):
            return found.st_mtime
    return None


def runs(root: str | None = None) -> Iterator[str]:
    """Yield the driver's folders of a project's runs, the last at work first."""
    last = [started for folder in run_folders(root) for started in _started(folder)[-1:]]
    return (driver for _, driver in sorted(last, reverse=True))


def find(name: str | None) -> str:
    """Return the driver's folder of a run; without a name, of the last run at work, the user's own first.

    Raises ValueError, which lists the runs.
    """
    if name is None:
        every = list(runs())
        for run in (*filter(is_marked, every), *every):
            return run
        raise ValueError(f"{runs_folder()} holds no run that stepscript drives; start one with `stepscript run`")
    for path in _folders(name):
        for driver in drivers(path)[-1:]:
            return driver
    raise _unknown(name, [name_of(run) for run in runs()])


def folder_of(name: str) -> str:
    """Return the folder of a run. Raises ValueError, which lists the runs."""
    for path in _folders(name):
        return path
    raise _unknown(name, [os.path.basename(path) for path in run_folders()])


def _unknown(name: str, known: Sequence[str]) -> ValueError:
    return ValueError(
        f"no run has the name or folder {name!r:.80}; {expected(name, known) if known else 'this project has no runs'}"
    )


def undriven(name: str | None) -> str | None:
    """Return the named state directory if stepscript does not drive its run, else None.

    Without a name, return the folder that was last changed, if stepscript drives no run of the project.
    """
    if name is None:
        folders = latest_folders()
        return None if any(map(drivers, folders)) else next(iter(folders), None)
    for path in _folders(name):
        return None if drivers(path) else path
    return None


def is_handle(word: str) -> bool:
    """Return True if a word is meant to name a run, and not an answer: a short prefix is taken for an answer.

    Raises ValueError if several runs begin with it, or if it has the form of a name and no run has it.
    """
    if any(os.path.isdir(os.path.join(folder, word)) for folder in runs_folders()) or word == LAST:
        return True
    if os.path.isdir(word) and drivers(os.path.abspath(word)):
        return True
    if len(word) >= LEAST and next(_folders(word), None):
        return True
    if re.fullmatch(NAME, word):
        raise _unknown(word, [name_of(run) for run in runs()])
    return False


def _folders(name: str) -> Iterator[str]:
    """Yield the folders that a handle may mean: a run's name, a path, a URL, `last`, the beginning of one run's name.

    The beginning may be that of the part behind the day. Raises ValueError if several runs have it, or for an illegal
    URL.
    """
    if name.startswith(URL_SCHEMES):
        folder = folder_at(name)
        private_folder(folder)  # this host may know nothing of the run yet
        yield folder
        return
    for path in (*(os.path.join(folder, name) for folder in runs_folders()), name):
        if name and os.path.isdir(path):
            yield os.path.abspath(path)
    if name == LAST:
        yield from sorted(run_folders(), key=worked, reverse=True)[:1]
        return
    begins = [path for path in run_folders() if name and _begins(os.path.basename(path), name)]
    if len(begins) > 1:
        listed = ", ".join(sorted(map(os.path.basename, begins)))
        raise ValueError(f"{count_of(len(begins), 'run')} begin with {name!r:.80}: {listed:.2000}; write more letters")
    yield from begins


def _begins(name: str, start: str) -> bool:
    return name.startswith(start) or name.partition("-")[2].startswith(start)


def worked(folder: str) -> float:
    """Return the time of the last event of a run that stepscript or an agent drives."""
    return max((changed(folder), *(last for last, _ in _started(folder)[-1:])))


def name_of(run: str) -> str:
    """Return the name of a run: its folder's."""
    return os.path.basename(os.path.dirname(run))


def server_of(all_hosts: bool, address: str, namespace: str) -> "Choice | None":
    """Return the server whose runs are meant; None for the runs of this project.

    Raises ValueError if the engine is not installed, or the profile cannot be read.
    """
    if not (all_hosts or address or namespace):
        return None
    from .standings import TEMPORAL, chosen  # few commands ask a server

    return chosen(TEMPORAL, address, namespace, "")


def command_line(*words: str) -> str:
    """Return one of our commands, ready to copy."""
    program = "stepscript" if os.path.basename(sys.argv[0]) == "stepscript" else sys.argv[0]
    return join((program, *words[:1], *project_words(), *words[1:]))


def spelled(run: str) -> str:
    """Return the name of a run for a command: its own if it can be found, else its folder."""
    here = os.path.dirname(os.path.dirname(run)) in runs_folders()
    return name_of(run) if here else os.path.dirname(run)
