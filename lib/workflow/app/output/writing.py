"""Refusals for write errors of a command, which say which path to give instead."""

from collections.abc import Iterator
from contextlib import contextmanager

from ...errors import RefusedError


@contextmanager
def writing(path: str, kind: str) -> Iterator[None]:
    """Turn system errors about a file or folder into a RefusedError, with the path as the user gave it."""
    try:
        yield
    except OSError as error:
        if error.errno is None:  # an error of a server, which says what to do
            raise
        said = f"it cannot be written: {error.strerror or error}"
        raise RefusedError("unwritable", path or "''", said, f"name a writable {kind}") from None
