"""Commands run in this process, as their modules' scripts: a hundred times as fast, for rehearsals of many steps."""

import gc
import io
import runpy
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

from ..command import Command
from .process import Ran


def run_here(command: Command, given: str = "") -> Ran:
    """What comes of the command. Its launcher is this interpreter, and whatever modules it has are shared."""
    out, errors = io.StringIO(), io.StringIO()
    with _as_script(command, given), redirect_stdout(out), redirect_stderr(errors), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the module is imported already, which is meant
        try:
            runpy.run_module(command.module, run_name="__main__")
            status: object = 0
        except SystemExit as stopped:
            status = stopped.code
    return Ran(status if isinstance(status, int) else 1, out.getvalue(), errors.getvalue())


@contextmanager
def _as_script(command: Command, given: str) -> Iterator[None]:
    before, collects = (sys.argv, sys.stdin), gc.isenabled()
    sys.argv, sys.stdin = [command.module, *command.words], io.TextIOWrapper(io.BytesIO(given.encode()))
    try:
        yield
    finally:
        sys.argv, sys.stdin = before
        if collects:  # a script turns the collector off, and takes what there is out of its sight: it ends soon
            gc.enable()
            gc.unfreeze()
