"""Commands run in this process, as their modules' scripts: a hundred times as fast, for rehearsals of many steps."""

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
"""Commands after which garbage is collected; the collector's own count begins anew with each."""
_RAN: Final = count(1)


def run_here(command: Command, given: str = "") -> Ran:
    """What comes of the command. Its launcher is this interpreter, and whatever modules it has are shared."""
    return run_module(command.module, command.words, given.encode())


def run_module(module: str, words: Sequence[str], given: bytes = b"") -> Ran:
    """The same for any words, those too that no command may hold."""
    out, errors = io.StringIO(), io.StringIO()
    with _as_script(module, words, given), redirect_stdout(out), redirect_stderr(errors), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the module is imported already, which is meant
        try:
            runpy.run_module(module, run_name="__main__")
            status: object = 0
        except SystemExit as stopped:
            status = stopped.code
    return Ran(status if isinstance(status, int) else 1, out.getvalue(), errors.getvalue())


@contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables of this process for as long as the `with` lasts."""
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
    """Undoes what a script does because it ends soon: it turns the collector off and has it forget what there is."""
    gc.enable()
    gc.unfreeze()
    if next(_RAN) % OFTEN == 0:
        gc.collect()
