"""Where the runs of a project are kept (decisions.md, "State directory")."""

import os
from collections.abc import Callable
from itertools import count
from typing import Final

from .errors import RefusedError

HOME: Final = ".stepscript"
IGNORE: Final = ".gitignore"
IGNORED: Final = b"*\n"
"""What the ignore file says of the folder that it stands in: what is there is nobody's to commit."""
LONGEST_SLUG: Final = 32
NAME: Final = rf"\d{{4}}-\d\d-\d\d-[a-z0-9-]{{1,{LONGEST_SLUG}}}-[0-9a-f]{{6}}(\.\d+)?"
"""The names that `new_name` gives, and their next ones, as a regular expression."""


def runs_folder(root: str | None = None) -> str:
    """The folder of a project's runs: in the nearest folder upwards that has one, or is a repository; else here.

    A home folder, whatever it has, is no project of the folders in it.
    """
    start = os.path.abspath(root or os.getcwd())
    home = os.path.expanduser("~")
    folder = start
    while True:
        if os.path.isdir(os.path.join(folder, HOME)) or os.path.exists(os.path.join(folder, ".git")):
            return os.path.join(folder, HOME, "runs")
        parent = os.path.dirname(folder)
        if parent in (folder, home):
            return os.path.join(start, HOME, "runs")
        folder = parent


def run_folders(root: str | None = None) -> list[str]:
    """The folders of a project's runs, whoever drives them."""
    folder = runs_folder(root)
    paths = (os.path.join(folder, name) for name in (os.listdir(folder) if os.path.isdir(folder) else ()))
    return list(filter(os.path.isdir, paths))


def slug(text: str) -> str:
    """A text as a part of a folder's name; `run` where nothing of it can stand in one."""
    words = "".join(char if char.isascii() and char.isalnum() else " " for char in text.lower()).split()
    return "-".join(words)[:LONGEST_SLUG].strip("-") or "run"


def new_name(text: str, mark: bytes) -> str:
    """The name of the folder of a run that begins today, with three bytes that tell it from others."""
    from datetime import date  # the day of whoever asks; most steps of a run do not

    return f"{date.today():%Y-%m-%d}{_end(text, mark)}"


def _end(text: str, mark: bytes) -> str:
    return f"-{slug(text)}-{mark[:3].hex()}"


def found_again(text: str, is_over: Callable[[str], bool]) -> str:
    """The folder of a run that begins today; the same text finds it again, until what is there is over."""
    path = os.path.join(runs_folder(), new_name(text, _mark(text)))
    paths = (path if number == 1 else f"{path}.{number}" for number in count(1))
    return next(path for path in paths if not is_over(path))


def begun(text: str) -> list[str]:
    """The folders that `found_again` has given for a text, on whatever day, the last first."""
    end = _end(text, _mark(text))
    return sorted((path for path in run_folders() if _stem(path).endswith(end)), reverse=True)


def _mark(text: str) -> bytes:
    from hashlib import sha256

    return sha256(f"{runs_folder()}/{text}".encode()).digest()


def _stem(path: str) -> str:
    return os.path.basename(path).partition(".")[0]


def make_run(folder: str) -> None:
    """Makes the folder of a run where there is none, as one that git passes over. Raises RefusedError."""
    if os.path.isdir(folder):
        return
    home = os.path.dirname(os.path.dirname(os.path.abspath(folder)))
    try:
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(home if os.path.basename(home) == HOME else folder, IGNORE)
        if not os.path.exists(path):
            with open(path, "wb") as file:
                file.write(IGNORED)
    except OSError as error:
        fix = "name a folder that can be made, or one that exists"
        raise RefusedError("unwritable-state", folder, error.strerror or str(error), fix) from None
