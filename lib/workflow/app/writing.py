"""What a command writes goes where the user said; where it cannot, the user is told what to name instead."""

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import RefusedError


@contextmanager
def writing(path: str, kind: str) -> Iterator[None]:
    """Turns what the system says of a file or folder, as the user gave it, into a RefusedError."""
    try:
        yield
    except OSError as error:
        said = f"it cannot be written: {error.strerror or error}"
        raise RefusedError("unwritable", path or "''", said, f"name a {kind} that can be written") from None
