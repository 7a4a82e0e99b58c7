"""The current activity for waiting users: a line at the bottom of a terminal, on standard error; else nothing."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ...util.characters import visible
from .screen import err


@contextmanager
def telling() -> Iterator[Callable[[str], None]]:
    """Yield a function that shows the current activity; the line disappears at the end of the `with`."""
    if not sys.stderr.isatty() or os.environ.get("TERM") in (None, "dumb"):
        yield lambda _: None
        return
    from rich import live, spinner, text

    line = spinner.Spinner("line", text.Text("..."))
    both = sys.stdout.isatty()  # otherwise output goes to its own stream, not above the line
    with live.Live(line, console=err().console(terminal=True), transient=True, redirect_stdout=both):
        yield lambda said: line.update(text=text.Text(visible(said), no_wrap=True, overflow="ellipsis"))
