"""What is left of attempts that nobody waits for: they would go on changing files, which no fence can refuse them.

They are known by entries of their environment, which all that they have started has too. A system that does not show
environments, in /proc, leaves them to the fence: it keeps them from the state, as it does anyway.
"""

import os
from typing import Final

from ..state.files import PRIVATE, read_whole, replace_whole
from ..util.watchdog import end_all

VARIABLE: Final = "STEPSCRIPT_RUN"
"""The environment variable that tells which run a process belongs to."""
MARK: Final = "mark"
"""The file of a run that holds its own part of that."""
SIZE: Final = 8


def mark_of(folder: str) -> str:
    """The mark of the run whose agents have their files in a folder. Whoever asks holds the run's lock.

    It is made of the folder itself and of a number that is made with it. So it is the same by every path that leads to
    the folder and after the folder was moved, and another in a copy or in a folder that is made there later.
    """
    path = os.path.join(folder, MARK)
    try:
        own = read_whole(path, SIZE)
    except OSError:
        own = os.urandom(SIZE)
        replace_whole(path, own, PRIVATE)
    where = os.stat(folder)
    return f"{where.st_dev:x}-{where.st_ino:x}-{own.hex()}"


def end(variable: str, value: str) -> int:
    """Kill every process that has the variable with this value. Returns how many there were."""
    return end_all(os.fsencode(f"{variable}={value}"))
