"""The state file of a run, `incoherence.json` in its state directory."""

import os
from typing import TYPE_CHECKING

from lib.workflow.errors import RefusedError

if TYPE_CHECKING:
    from lib.workflow.store import Store

    from .record import Run


def run_store(state_dir: str) -> "Store[Run]":
    """The file of a run."""
    from lib.workflow.codec import codec  # whoever only builds the workflow opens no file
    from lib.workflow.store import Store

    from .record import Run

    path = os.path.join(os.path.abspath(state_dir), "incoherence.json")
    return Store(path, codec(Run), remedy="begin the run with `survey`, as its first step says", check=Run.check)


def make_folder(state_dir: str) -> None:
    """Makes the folder of a run, where there is none, as one that git passes over. Raises RefusedError."""
    if os.path.isdir(state_dir):
        return
    try:
        os.makedirs(state_dir)
        with open(os.path.join(state_dir, ".gitignore"), "w", encoding="utf-8") as file:
            file.write("*\n")
    except OSError as error:
        raise RefusedError("unwritable-state", state_dir, error.strerror or str(error), "name another folder") from None
