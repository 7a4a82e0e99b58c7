"""Standard input, read whole or not at all."""

import sys


def read_input(limit: int) -> bytes:
    """Read all of it. Raises ValueError if it is closed, a terminal, broken, or has over `limit` bytes."""
    if sys.stdin is None or sys.stdin.isatty():
        raise ValueError("standard input is empty; give it a here-document or a file")
    try:
        data = sys.stdin.buffer.read(limit + 1)
    except OSError as error:
        raise ValueError(f"standard input cannot be read: {error.strerror or error}") from None
    if len(data) > limit:
        raise ValueError(f"standard input holds more than {limit:,} bytes")
    return data
