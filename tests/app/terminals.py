"""A stream that claims to be a terminal."""

import io


class Terminal(io.StringIO):
    """A terminal that keeps its output."""

    def isatty(self) -> bool:
        return True
