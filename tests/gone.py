"""Processes that must have ended."""

import time
from pathlib import Path


def is_gone(pid: int, seconds: float = 10) -> bool:
    """Return True if the process ends within the time. A zombie has ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False
