"""A stream that says it is a terminal."""

import io


class Terminal(io.StringIO):
    """Keeps what is printed to it."""

    def isatty(self) -> bool:
        return True
