"""Conversion of a class's complaints about its values into refusals."""

from collections.abc import Iterator
from contextlib import contextmanager

from lib.workflow.errors import RefusedError


@contextmanager
def refusing(target: str) -> Iterator[None]:
    """Turn a ValueError into a RefusedError about the target."""
    try:
        yield
    except ValueError as error:
        raise RefusedError("invalid-value", target, str(error), "nothing was changed; send a valid value") from None
