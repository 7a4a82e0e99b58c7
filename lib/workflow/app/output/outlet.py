"""Standard output of a command that prints while it works; if nobody can read it, the command goes on."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ...util.output import drop


class Outlet(io.TextIOWrapper):
    """A stream that goes on after write errors. `failure` is the first error."""

    failure: OSError | None = None

    def write(self, text: str, /) -> int:
        """Print the text, or discard it after a failure."""
        if self.failure is None:
            try:
                return super().write(text)
            except OSError as error:
                self._fail(error)
        return len(text)

    def flush(self) -> None:
        """Flush the output."""
        if self.failure is None:
            try:
                super().flush()
            except OSError as error:
                self._fail(error)

    def _fail(self, error: OSError) -> None:
        self.failure = error
        drop(self)


@contextmanager
def outlet() -> Iterator[Outlet | None]:
    """Make standard output an outlet for the duration of the `with`. None if it is in memory, and cannot fail."""
    before = sys.stdout
    if before is None:
        stream = Outlet(open(os.devnull, "wb"), encoding="utf-8")  # noqa: SIM115 - closed with the stream
        stream.failure = OSError(0, "it is closed")
    elif isinstance(before, io.TextIOWrapper):
        before.flush()
        stream = Outlet(before.buffer, "utf-8", "backslashreplace", line_buffering=before.line_buffering)
    else:
        yield None
        return
    sys.stdout = stream
    try:
        yield stream
    finally:
        sys.stdout = before
        stream.flush()
        stream.detach()


def is_read() -> bool:
    """Return True if output still arrives: a command that prints for ever ends if it does not."""
    sys.stdout.flush()
    return not (isinstance(sys.stdout, Outlet) and sys.stdout.failure is not None)
