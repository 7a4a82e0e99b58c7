"""The installed launcher: one file in the user's own folder, for all installations.

It lies outside of every project: commands that start with it are permitted, so nothing that a repository brings may
replace it. A small file for each installation says when the last one is gone, and the launcher with it.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Final

from ....errors import RefusedError
from ....state.files import PRIVATE_FOLDER, private_folder, read_whole, remove, replace_whole
from ....state.run_dirs import user_folder

NAME: Final = "launch"
USERS: Final = "installs"
"""Folder with a file for each installation: its name is a hash of the path that it holds."""
_LONGEST: Final = 1 << 15
_ATTEMPTS: Final = 20


def path() -> str:
    """Return the launcher's path. Raises RefusedError for a user without a home folder."""
    return os.path.join(user_folder(), NAME)


def is_current(text: str) -> bool:
    """Return True if the launcher is installed with this text and can be started."""
    try:
        return read_whole(path(), _LONGEST) == text.encode() and os.access(path(), os.X_OK)
    except OSError:
        return False


def is_used() -> bool:
    """Return True if there is an installation of this user."""
    try:
        return bool(_others())
    except RefusedError:
        return False


def add(root: str, text: str) -> None:
    """Install the launcher for an installation in a folder. Raises OSError, or RefusedError without a home folder."""
    for left in reversed(range(_ATTEMPTS)):
        try:
            private_folder(_users())
            replace_whole(_user(root), os.fsencode(root))
            _write(text)
            return
        except FileNotFoundError:  # the last installation was removed meanwhile, and the folder with it
            if not left:
                raise


def drop(root: str) -> None:
    """Remove the launcher if no other installation is left. Raises OSError."""
    with suppress(RefusedError):
        text = _read()
        remove(_user(root))
        if not _others():
            remove(path())
            if _others() and text:  # another installation has come meanwhile
                _write(text)
        for folder in (_users(), user_folder()):
            with suppress(OSError):
                os.rmdir(folder)


def _users() -> str:
    return os.path.join(user_folder(), USERS)


def _user(root: str) -> str:
    return os.path.join(_users(), sha256(os.fsencode(root)).hexdigest()[:32])


def _others() -> Sequence[str]:
    """Return the files of the installations whose folder still exists."""
    try:
        names = os.listdir(_users())
    except FileNotFoundError:
        return ()
    return [name for name in names if _is_live(os.path.join(_users(), name))]


def _is_live(user: str) -> bool:
    try:
        root = os.fsdecode(read_whole(user, _LONGEST))
    except OSError:
        return False
    if os.path.isdir(root):
        return True
    with suppress(OSError):
        remove(user)
    return False


def _read() -> str:
    try:
        return read_whole(path(), _LONGEST).decode(errors="replace")
    except OSError:
        return ""


def _write(text: str) -> None:
    replace_whole(path(), text.encode(), PRIVATE_FOLDER)
