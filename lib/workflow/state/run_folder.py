"""The folder of a run: entered by its owner alone, passed over by git, and behind no link."""

import os
from contextlib import suppress
from typing import Final

from ..errors import RefusedError
from .files import OTHERS, PRIVATE, OddFileError, close_to_others, private_folder, read_whole, replace_whole
from .run_dirs import HOME, IGNORE, IGNORED, RUNS, check_unlinked

_MOST: Final = 4096
"""Bytes of an ignore file that are read."""


def make_run(folder: str) -> None:
    """Make the folder of a run where there is none, and repair one that is there: its modes, its ignore file.

    A folder that held something else before is its user's: neither its mode nor its contents are touched.

    Raises:
        RefusedError: it cannot be made, or a link leads elsewhere.
    """
    try:
        prepared(folder)
    except OSError as error:
        fix = "name a folder that can be made, or one that exists"
        raise RefusedError("unwritable-state", folder, error.strerror or str(error), fix) from None


def prepared(folder: str) -> None:
    """Do what `make_run` does. Raises OSError; RefusedError for a link."""
    folder = os.path.abspath(folder)
    check_unlinked(folder)
    if not os.path.isdir(folder):
        private_folder(folder)
        try:
            _ignore(folder)
        except OSError:
            with suppress(OSError):
                os.rmdir(folder)  # so that the next start makes it, and has git ignore it
            raise
    elif not os.listdir(folder):
        close_to_others(os.path.realpath(folder))
    tend(folder)
    if _home_of(folder) or _is_ours(folder):
        _close_all(folder)


def tend(folder: str) -> None:
    """Repair what keeps a run from others, if it is damaged: modes, and the file that has git pass it over.

    Nothing is done to a folder that `make_run` did not make. Raises OSError.
    """
    folder = os.path.abspath(folder)
    home = _home_of(folder)
    if home is None and not _is_ours(folder):
        return
    _ignore(folder)
    if home:
        close_to_others(home)
        if close_to_others(os.path.join(home, RUNS)):
            _close_all(os.path.join(home, RUNS))
    if os.stat(folder).st_mode & OTHERS:
        _close_all(folder)


def make_home(home: str) -> None:
    """Make `.stepscript` in a project, private, as one that git passes over. Raises OSError."""
    private_folder(home)
    if not _is_ignored(home):
        replace_whole(os.path.join(home, IGNORE), IGNORED, PRIVATE)


def _home_of(folder: str) -> str | None:
    """The `.stepscript` that a folder is a run of; None for one that a user named elsewhere."""
    runs = os.path.dirname(folder)
    home = os.path.dirname(runs)
    return home if (os.path.basename(home), os.path.basename(runs)) == (HOME, RUNS) else None


def _ignore(folder: str) -> None:
    home = _home_of(folder) or folder
    if not _is_ignored(home):
        replace_whole(os.path.join(home, IGNORE), IGNORED, PRIVATE)


def _is_ignored(home: str) -> bool:
    """Whether an ignore file says something: what it says is its user's to change. git follows no link there."""
    path = os.path.join(home, IGNORE)
    try:
        return not os.path.islink(path) and bool(read_whole(path, _MOST).strip())
    except FileNotFoundError:
        return False
    except OddFileError:
        return True


def _is_ours(folder: str) -> bool:
    """Whether `make_run` made a folder that a user named: it has our ignore file."""
    try:
        return read_whole(os.path.join(folder, IGNORE), _MOST) == IGNORED
    except OSError:
        return False


def _close_all(folder: str) -> None:
    """Close a folder and what is in it; links are not followed."""
    for place, _, names in os.walk(folder):
        for path in (place, *(os.path.join(place, name) for name in names)):
            with suppress(FileNotFoundError):
                close_to_others(path)
