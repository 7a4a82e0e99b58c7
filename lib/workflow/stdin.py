"""Standard input, read whole or not at all."""

import sys


def read_input(limit: int) -> bytes:
    """All that stands there. Raises ValueError where nothing can, or more than `limit` bytes do, and OSError."""
    if sys.stdin is None or sys.stdin.isatty():
        raise ValueError("nothing stands on standard input; give it a here-document or a file")
    data = sys.stdin.buffer.read(limit + 1)
    if len(data) > limit:
        raise ValueError(f"standard input holds more than {limit:,} bytes")
    return data
