"""Copies of a task's files, made before its agent changes them."""

import os
from typing import TYPE_CHECKING, Final

from lib.workflow.state.files import private_folder, replace_whole
from lib.workflow.state.run_dirs import holder, inside

if TYPE_CHECKING:
    from .record import Run, Task

FOLDER: Final = "before"
"""The folder of a run with the copies, below the ids of the tasks."""
SEEN: Final = ".files"
"""The ending of the list that names a task's files that were looked up."""


def project(run: "Run", state_dir: str) -> str | None:
    """Return the project's root: the folder that holds the run, or the working directory if it has all sources."""
    home = holder(state_dir)
    root = home or os.getcwd()
    there = [os.path.exists(os.path.join(root, source.path)) for source in run.sources]
    return root if (any(there) if home else all(there)) else None


def keep(run: "Run", state_dir: str, tasks: "tuple[Task, ...]") -> None:
    """Copy the files of tasks that have no copy yet. Nothing is copied if the project is not here.

    A list of the files that were looked up is written last. A file that an agent makes later is then no original.

    Raises:
        RefusedError: A path leads out of the project, or out of the run.
        OSError: A file cannot be read, or a copy cannot be written.
    """
    root = project(run, state_dir)
    if root is None:
        return
    for task in tasks:
        listed = inside(state_dir, FOLDER, f"{task.id}{SEEN}")
        seen = _lines(listed)
        new = [name for name in task.files if name not in seen]
        for name in new:
            source, copy = inside(root, name), inside(state_dir, FOLDER, task.id, name)
            if os.path.isfile(source) and not os.path.exists(copy):
                with open(source, "rb") as file:
                    _write(copy, file.read())
        if new:
            _write(listed, "".join(f"{name}\n" for name in (*seen, *new)).encode())


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def _write(path: str, data: bytes) -> None:
    private_folder(os.path.dirname(path))
    replace_whole(path, data)
