"""Where the runs of a project are kept (decisions.md, "State directory")."""

import os
from typing import Final

HOME: Final = ".stepscript"


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


def slug(text: str, longest: int = 32) -> str:
    """A text as a part of a folder's name; `run` where nothing of it can stand in one."""
    words = "".join(char if char.isascii() and char.isalnum() else " " for char in text.lower()).split()
    return "-".join(words)[:longest].strip("-") or "run"


def ignored(runs: str) -> None:
    """Makes the folder around the runs, and has git ignore it: they are nobody's to commit."""
    folder = os.path.dirname(runs)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, ".gitignore")
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("*\n")
