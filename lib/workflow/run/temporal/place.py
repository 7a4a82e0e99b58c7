"""Where a run is: the queue of its host and its folder there, which together are its name on the server."""

import os
import re
from typing import Final

from attrs import frozen

from ...codec import codec
from ...errors import RefusedError
from ...state.files import PRIVATE, OddFileError, private_folder, read_whole, replace_whole
from ..engine import Spec

RECORD: Final = "temporal.json"
"""In the run's folder. Without it a host does nothing there: whoever can only reach the server begins no run."""
_QUEUE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
MAX_SIZE: Final = 1 << 20


@frozen(kw_only=True)
class Record:
    """What a run's folder says of it."""

    id: str
    queue: str
    root: str
    """The project's folder: agents and steps work in it."""
    spec: Spec
    address: str
    namespace: str
    cancelled: bool = False
    """Whether it was, after it had stopped: the server takes no note of that."""


def checked_queue(queue: str) -> str:
    """The name of a host's queue. Raises ValueError for what can be none."""
    if _QUEUE.fullmatch(queue) is None:
        raise ValueError(f"host queue {queue!r:.60}: write up to 100 letters, digits, `.`, `_` and `-`")
    return queue


def id_of(queue: str, folder: str) -> str:
    """The name of a run on the server."""
    return f"{checked_queue(queue)}:{os.path.abspath(folder)}"


def folder_of(run_id: str) -> str:
    """The folder of a run. Raises ValueError for an id that is none of ours."""
    queue, _, folder = run_id.partition(":")
    if _QUEUE.fullmatch(queue) is None or os.path.abspath(folder) != folder:
        raise ValueError(f"{run_id!r:.200} names no run of ours")
    return folder


def write_record(folder: str, record: Record) -> None:
    """Makes the folder the run's."""
    private_folder(folder)
    replace_whole(os.path.join(folder, RECORD), codec(Record).dumps(record).encode(), PRIVATE)


def is_remote(folder: str) -> bool:
    """Whether the run in a folder is driven by Temporal."""
    return os.path.isfile(os.path.join(folder, RECORD))


def read_record(folder: str) -> Record:
    """Return what the folder says.

    Raises:
        RefusedError: it says nothing that can be used, and the message names the file; or the folder was copied or
            moved, and the server knows the run by another one.
        OSError: it cannot be read.
    """
    path = os.path.join(folder, RECORD)
    try:
        record = codec(Record).loads(read_whole(path, MAX_SIZE))
        place = folder_of(record.id)
    except (ValueError, OddFileError) as error:
        fix = "Restore the file, or delete the run's folder to give the run up."
        raise RefusedError("broken-record", "broken record of a run", f"{path}: {error}", fix) from None
    if os.path.realpath(place) != os.path.realpath(folder):
        why = f"its server knows the run by another folder, {place}: this one was copied or moved"
        fix = "Move it back, or begin a new run; the run in that folder, if it is there, is left alone."
        raise RefusedError("moved-run", folder, why, fix)
    return record


def record_of(run_id: str) -> Record:
    """The same for a run that the server names. Raises ValueError, OSError where the folder is another's."""
    record = read_record(folder_of(run_id))
    if record.id != run_id:
        raise ValueError(f"the folder of {run_id!r:.200} belongs to {record.id!r:.200}")
    return record
