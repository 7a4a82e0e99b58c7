"""Stores of long payloads: each run's own folder, one folder of all runs, or a bucket of S3 (`s3.py`)."""

import os
from hashlib import sha256
from typing import Final, Protocol

from attrs import frozen

from ....state.files import PRIVATE, private_folder, read_whole, replace_whole
from ..place import folder_of

STORE: Final = "STEPSCRIPT_PAYLOAD_STORE"
"""Variable that names the store of all runs, if long payloads are not in each run's own folder."""
S3: Final = "s3://"
PAYLOADS: Final = "payloads"
"""Folder in a run's folder."""
LONGEST: Final = 16 << 20
"""Maximum bytes of a stored payload."""


class Store(Protocol):
    """A place for bytes, which are written once, whole or not at all, and found by their run and their digest.

    The methods block. They raise ValueError if this can never work, and OSError if it may work later or elsewhere;
    the message says what to do.
    """

    def put(self, run: str, digest: str, data: bytes) -> None:
        """Store bytes of a run, unless they are there.

        Args:
            run: The run's id on the server.
            digest: The SHA-256 of the bytes, in hexadecimal digits.
            data: The bytes.
        """

    def get(self, run: str, digest: str) -> bytes:
        """Return the bytes of a run with a digest, which the caller checks. At most `LONGEST` are read."""

    def check(self) -> None:
        """Raise OSError unless bytes can be stored and read now."""


class RunFolders:
    """A store in the folder of each run."""

    def check(self) -> None:
        """Do nothing: each run has another folder."""

    def put(self, run: str, digest: str, data: bytes) -> None:
        _write(os.path.join(folder_of(run), PAYLOADS), digest, data)

    def get(self, run: str, digest: str) -> bytes:
        return read_whole(os.path.join(folder_of(run), PAYLOADS, digest), LONGEST)


@frozen
class SharedFolder:
    """A store of all runs in one folder, which exists."""

    path: str

    def put(self, run: str, digest: str, data: bytes) -> None:
        _write(os.path.join(self.path, room(run)), digest, data)

    def get(self, run: str, digest: str) -> bytes:
        return read_whole(os.path.join(self.path, room(run), digest), LONGEST)

    def check(self) -> None:
        if not os.path.isdir(self.path) or not os.access(self.path, os.R_OK | os.W_OK | os.X_OK):
            raise FileNotFoundError(f"{self.path} is not a folder that this user can read and write")


def is_bucket(name: str) -> bool:
    """Return True if the name of a store is that of a bucket, valid or not."""
    return name[: len(S3)].lower() == S3


def room(run: str) -> str:
    """Return the name of a run's part of a store of all runs; it is of hexadecimal digits, whatever the run's id is."""
    return sha256(run.encode()).hexdigest()


def _write(folder: str, digest: str, data: bytes) -> None:
    path, around = os.path.join(folder, digest), os.path.dirname(folder)
    if os.path.exists(path):
        return
    if not os.path.isdir(around):
        raise FileNotFoundError(f"there is no folder {around}")
    private_folder(folder)
    replace_whole(path, data, PRIVATE, sweep=False)
