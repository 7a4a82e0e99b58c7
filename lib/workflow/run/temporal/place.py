"""The place of a run: its host's queue, its folder there and a nonce, which together form its id on the server.

A folder that is deleted and made again is thus another run.
"""

import os
import re
from typing import Final

RECORD: Final = "temporal.json"
"""File in the run's folder. A host works only in folders that have it, so access to the server alone starts no run."""
_QUEUE: Final = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
ERRAND: Final = "+"
"""First character of the id of an errand; no queue's name begins with it."""
_NONCE: Final = r"[0-9a-f]{8}"
"""Patterns, compiled on first use: few runs are on servers."""


def checked_queue(queue: str) -> str:
    """Check the name of a host's queue, or of a pool, and return it. Raises ValueError if it is not valid."""
    if re.fullmatch(_QUEUE, queue) is None:
        raise ValueError(f"host queue or pool {queue!r:.60}: write up to 100 letters, digits, `.`, `_` and `-`")
    return queue


def id_of(queue: str, folder: str) -> str:
    """Return the id on the server of a new run; each call returns another one."""
    return f"{checked_queue(queue)}:{os.urandom(4).hex()}:{os.path.abspath(folder)}"


def folder_of(run_id: str) -> str:
    """Return the folder of a run. Raises ValueError for an id of another format."""
    queue, _, rest = run_id.partition(":")
    nonce, _, folder = rest.partition(":")
    if re.fullmatch(_NONCE, nonce) is None:  # an id of version 1
        folder = rest
    if re.fullmatch(_QUEUE, queue) is None or os.path.abspath(folder) != folder:
        raise ValueError(f"{run_id!r:.200} is not a run id of stepscript")
    return folder


def errand_of(run_id: str) -> str:
    """Return the id on the server of a new errand for a run."""
    return f"{ERRAND}{os.urandom(8).hex()}:{run_id}"


def run_of(workflow_id: str) -> str:
    """Return the id of the run that an id on the server belongs to: its own, or that of an errand."""
    return workflow_id.partition(":")[2] if workflow_id.startswith(ERRAND) else workflow_id


def queue_in(run_id: str) -> str:
    """Return the queue of the host of a run, by its id."""
    return run_id.partition(":")[0]


def is_remote(folder: str) -> bool:
    """Return True if Temporal drives the run in a folder."""
    return os.path.isfile(os.path.join(folder, RECORD))
