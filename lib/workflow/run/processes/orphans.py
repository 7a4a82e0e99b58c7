"""Processes of abandoned attempts, and their end: they could go on changing files, which no fence prevents.

They are found by environment entries, which their children inherit. Without /proc they cannot be found; the fence
still keeps them from the state.
"""

import os
from typing import Final

from ...state.files import PRIVATE, read_whole, replace_whole
from ...util.processes.watchdog import end_all

VARIABLE: Final = "STEPSCRIPT_RUN"
"""Environment variable with the mark of a process's run."""
MARK: Final = "mark"
"""File of a run that holds its own part of the mark."""
SIZE: Final = 8


def mark_of(folder: str) -> str:
    """Return the mark of the run whose agents have their files in a folder. The caller holds the run's lock.

    It combines the folder's inode and a random number in the folder. So it is the same by every path to the folder and
    after a move, but differs in a copy and in a folder that is made there later. A power loss may take the random
    number, and then no process is left that has it.
    """
    path = os.path.join(folder, MARK)
    try:
        own = read_whole(path, SIZE)
    except OSError:
        own = b""
    if len(own) != SIZE:
        own = os.urandom(SIZE)
        replace_whole(path, own, PRIVATE, sync=False)
    where = os.stat(folder)
    return f"{where.st_dev:x}-{where.st_ino:x}-{own.hex()}"


def end(variable: str, value: str) -> None:
    """Kill every process that has the variable with this value."""
    end_all(os.fsencode(f"{variable}={value}"))
