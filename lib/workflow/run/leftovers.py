"""What is left of attempts that nobody waits for: they would go on changing files, which no fence can refuse them.

They are known by their environment, which all that they have started has too. Where a system does not show that, in
/proc, nothing is done: the fence keeps them from the state, as it does anyway.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress

from .. import fence


def end(attempts: str) -> int:
    """Kills every process of those whose fence's path begins so, or whose path and token do; how many there were."""
    found = list(_belonging(attempts))
    for process in found:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)
    return len(found)


def _belonging(attempts: str) -> Iterator[int]:
    wanted = os.fsencode(f"{fence.VARIABLE}={attempts}")
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if any(entry.startswith(wanted) for entry in file.read().split(b"\0")):
                    yield int(name)
        except OSError:  # another user's, or gone
            continue
