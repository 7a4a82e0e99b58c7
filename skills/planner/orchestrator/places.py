"""Where a run keeps its state when nobody says where (decisions.md, "State directory")."""

import os
from typing import Final

from ..state.run_state import RunState

HOME: Final = ".stepscript"
SLUG: Final = 32
"""Characters of the task that a folder's name holds."""


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


def new_state_dir(task: str) -> str:
    """The folder for a task that is begun today; the same task finds its folder again until its plan is approved."""
    from datetime import date
    from hashlib import sha256

    runs = runs_folder()
    words = "".join(char if char.isascii() and char.isalnum() else " " for char in task.lower()).split()
    slug = "-".join(words)[:SLUG].strip("-") or "run"
    digest = sha256(f"{runs}/{task}".encode()).hexdigest()[:6]
    name = f"{date.today():%Y-%m-%d}-{slug}-{digest}"  # the day of whoever asks
    number = 1
    while _is_finished(os.path.join(runs, name)):
        number += 1
        name = f"{name.removesuffix(f'.{number - 1}')}.{number}"
    _ignore(os.path.dirname(runs))
    return os.path.join(runs, name)


def _is_finished(state_dir: str) -> bool:
    if not os.path.exists(os.path.join(state_dir, "run.json")):
        return False
    run = RunState(state_dir).run
    return run.aborted or run.approval is not None


def _ignore(folder: str) -> None:
    """Has git ignore the runs: they are nobody's to commit."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, ".gitignore")
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("*\n")
