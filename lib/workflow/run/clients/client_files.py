"""Files for starting a client, such as its rules: in the user's folder, where no agent of a project writes."""

import os
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from ...state.files import read_whole, replace_whole
from ...state.run_dirs import user_folder

FOLDER: Final = "clients"
DIGITS: Final = 16
"""Hexadecimal digits of the digest in a folder's name: other contents get another folder."""
LONGEST: Final = 1 << 20


def written(files: Mapping[str, str]) -> str:
    """Write the missing files and return their folder.

    Raises:
        OSError: If they cannot be written.
        RefusedError: If the user has no home folder.
    """
    digest = sha256(repr(sorted(files.items())).encode()).hexdigest()[:DIGITS]
    folder = os.path.join(user_folder(), FOLDER, digest)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    for name, text in files.items():
        path = os.path.join(folder, name)
        if _held(path) != text.encode():
            replace_whole(path, text.encode())
    return folder


def _held(path: str) -> bytes | None:
    try:
        return read_whole(path, LONGEST)
    except OSError:
        return None
