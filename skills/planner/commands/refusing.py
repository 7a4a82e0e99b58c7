"""What a class says against its values, as a refusal."""

from collections.abc import Iterator
from contextlib import contextmanager

from lib.workflow.errors import RefusedError


@contextmanager
def refusing(target: str) -> Iterator[None]:
    """Turns a ValueError into a RefusedError about the target."""
    try:
        yield
    except ValueError as error:
        raise RefusedError("invalid-value", target, str(error), "nothing was changed; send a legal value") from None
