"""The record of a run on a server: a file in the run's folder, with what its host needs to work on it."""

import json
import os
from typing import Final

from attrs import frozen

from ...codec import codec
from ...errors import RefusedError
from ...state.files import PRIVATE, OddFileError, private_folder, read_whole, replace_whole
from ...state.locks import locked
from ...util.structs import Struct
from ..journal.spec import Spec
from .place import RECORD, folder_of, is_remote

MAX_SIZE: Final = 1 << 20
LOCK: Final = "temporal.lock"
WAIT: Final = 10.0
"""Seconds to wait for another process that writes the first record."""


@frozen(kw_only=True)
class Record(Struct):
    """The record in a run's folder."""

    id: str
    queue: str
    root: str
    """The project's folder: agents and steps work in it."""
    spec: Spec
    address: str
    namespace: str
    pool: str = ""
    """Pool of hosts that launch its agents; empty for the run's own host."""
    apart: bool = False
    """True if the hosts of the pool have neither the project nor the run's folder."""
    cancelled: bool = False
    """True if it was cancelled after it had stopped, which the server does not record."""


def write_record(folder: str, record: Record) -> None:
    """Write the run's record into its folder."""
    private_folder(folder)
    fields = json.loads(codec(Record).dumps(record))
    if not record.apart:  # workers of earlier versions refuse a record with a field that they do not know
        del fields["apart"]
    replace_whole(os.path.join(folder, RECORD), json.dumps(fields, indent=2).encode(), PRIVATE)


def claim(folder: str, record: Record) -> bool:
    """Write the first record into a folder. Returns False if there is one already; of two processes one does it."""
    private_folder(folder)
    with locked(os.path.join(folder, LOCK), WAIT):
        if is_remote(folder):
            return False
        write_record(folder, record)
        return True


def read_record(folder: str) -> Record:
    """Return the record in a folder.

    Raises:
        RefusedError: If it is unusable (the message names the file), or the folder was copied or moved, so that the
            server knows the run by another one.
        OSError: If it cannot be read.
    """
    path = os.path.join(folder, RECORD)
    try:
        record = codec(Record).loads(read_whole(path, MAX_SIZE))
        place = folder_of(record.id)
    except (ValueError, OddFileError) as error:
        fix = "Restore the file, or give up the run and delete its run directory."
        raise RefusedError("broken-record", "broken record of a run", f"{path}: {error}", fix) from None
    if os.path.realpath(place) != os.path.realpath(folder):
        why = f"this run directory was copied or moved: its server knows the run in {place}"
        fix = "Move it back, or start a new run."
        raise RefusedError("moved-run", folder, why, fix)
    return record


def record_of(run_id: str) -> Record:
    """Return the record of a run on the server. Raises ValueError, OSError if the folder belongs to another run."""
    record = read_record(folder_of(run_id))
    if record.id != run_id:
        raise ValueError(f"the folder of {run_id!r:.200} belongs to {record.id!r:.200}")
    return record
