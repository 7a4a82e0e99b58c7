"""Commands run in this process as their modules' scripts, a hundred times as fast, for rehearsals of many steps."""

import argparse
import gc
import io
import os
import runpy
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from itertools import count
from typing import Final

from ..command import Command
from .process import Ran

OFTEN: Final = 100
"""Number of commands between garbage collections; each command resets the collector's own count."""
_RAN: Final = count(1)


def run_here(command: Command, given: str = "") -> Ran:
    """Run the command in this interpreter, with the modules that it has already imported."""
    return run_module(command.module, command.words, given.encode())


def run_module(module: str, words: Sequence[str], given: bytes = b"") -> Ran:
    """Run a module with any words, even those that no command may hold."""
    out, errors = io.StringIO(), io.StringIO()
    with _as_script(module, words, given), redirect_stdout(out), redirect_stderr(errors), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the module is already imported, as intended
        try:
            runpy.run_module(module, run_name="__main__")
            status: object = 0
        except SystemExit as stopped:
            status = stopped.code
    return Ran(status if isinstance(status, int) else 1, out.getvalue(), errors.getvalue())


@contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables of this process for the duration of the `with`."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _as_script(module: str, words: Sequence[str], given: bytes) -> Iterator[None]:
    before, translate, collects = (sys.argv, sys.stdin), vars(argparse)["_"], gc.isenabled()
    sys.argv, sys.stdin = [module, *words], io.TextIOWrapper(io.BytesIO(given))
    try:
        yield
    finally:
        sys.argv, sys.stdin = before
        vars(argparse)["_"] = translate
        if collects:
            _collect()


def _collect() -> None:
    """Undo a script's settings for a short process: it turns the collector off and freezes its objects."""
    gc.enable()
    gc.unfreeze()
    if next(_RAN) % OFTEN == 0:
        gc.collect()
