"""What those are told who wait: a line at the bottom of a terminal, on standard error; nothing anywhere else."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..util.characters import visible
from .screen import err


@contextmanager
def telling() -> Iterator[Callable[[str], None]]:
    """A function that shows what is being done, until the `with` ends and takes it away."""
    if not sys.stderr.isatty() or os.environ.get("TERM") in (None, "dumb"):
        yield lambda _: None
        return
    from rich.live import Live
    from rich.spinner import Spinner
    from rich.text import Text

    line = Spinner("line", Text("..."))
    both = sys.stdout.isatty()  # else what is printed goes where it was sent, and not above the line
    with Live(line, console=err().console(terminal=True), transient=True, redirect_stdout=both):
        yield lambda text: line.update(text=Text(visible(text), no_wrap=True, overflow="ellipsis"))
