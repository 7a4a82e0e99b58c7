"""The folder of a run: only its owner can enter it, git ignores it, and it is not behind a link."""

import os
from contextlib import suppress
from typing import Final

from ..errors import RefusedError
from .files import OTHERS, PRIVATE, OddFileError, close_to_others, private_folder, read_whole, replace_whole
from .run_dirs import HOME, IGNORE, IGNORED, RUNS, WORKTREES, check_unlinked

_MOST: Final = 4096
"""Maximum bytes of an ignore file that are read."""


def make_run(folder: str) -> None:
    """Make the folder of a run if it is missing, and fix an existing one: its modes, its ignore file.

    A folder that already held something else stays the user's: neither its mode nor its contents change.

    Raises:
        RefusedError: If it cannot be made, or a link leads elsewhere.
    """
    try:
        prepared(folder)
    except OSError as error:
        fix = "name a folder that exists or can be created"
        raise RefusedError(
            "unwritable-state", folder, f"it cannot be written: {error.strerror or error}", fix
        ) from None


def prepared(folder: str) -> None:
    """Do the work of `make_run`. Raises OSError, or RefusedError for a link."""
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
    """Fix modes and the ignore file of a run's folder, if they are damaged.

    Folders that `make_run` did not make are left alone. Raises OSError.
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
    """Make `.stepscript` in a project, private and ignored by git. Raises OSError."""
    private_folder(home)
    if not _is_ignored(home):
        replace_whole(os.path.join(home, IGNORE), IGNORED, PRIVATE)


def _home_of(folder: str) -> str | None:
    """Return the `.stepscript` that holds a run's folder; None for a folder that a user named elsewhere."""
    runs = os.path.dirname(folder)
    home = os.path.dirname(runs)
    return home if (os.path.basename(home), os.path.basename(runs)) == (HOME, RUNS) else None


def _ignore(folder: str) -> None:
    home = _home_of(folder) or folder
    if not _is_ignored(home):
        replace_whole(os.path.join(home, IGNORE), IGNORED, PRIVATE)


def _is_ignored(home: str) -> bool:
    """Return True if the ignore file has any content, which the user may have changed. git follows no link there."""
    path = os.path.join(home, IGNORE)
    try:
        return not os.path.islink(path) and bool(read_whole(path, _MOST).strip())
    except FileNotFoundError:
        return False
    except OddFileError:
        return True


def _is_ours(folder: str) -> bool:
    """Return True if `make_run` made a folder that a user named: it has our ignore file."""
    try:
        return read_whole(os.path.join(folder, IGNORE), _MOST) == IGNORED
    except OSError:
        return False


def _close_all(folder: str) -> None:
    """Close a folder and its contents to others, without files in worktrees; links are not followed."""
    for place, inner, names in os.walk(folder):
        if os.path.basename(place) == WORKTREES:
            inner.clear()
        for path in (place, *(os.path.join(place, name) for name in names)):
            with suppress(FileNotFoundError):
                close_to_others(path)
