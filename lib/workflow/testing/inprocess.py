"""Commands run in this process as their modules' scripts, a hundred times as fast, for rehearsals of many steps."""

import atexit
import gc
import io
import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec
from itertools import count
from types import CodeType
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
            exec(*_script(module))  # noqa: S102 - a module of an installed package, run as `python -m` runs it
            status: object = 0
        except SystemExit as stopped:
            status = stopped.code
    return Ran(status if isinstance(status, int) else 1, out.getvalue(), errors.getvalue())


def _script(module: str) -> tuple[CodeType, dict[str, object]]:
    """Return the code of a script and its globals. Not `runpy`: it fails if pytest rewrites our distribution's modules.

    Raises ImportError for a module that does not exist, or is not a file.
    """
    spec = find_spec(module)
    if spec is None or spec.origin is None or not spec.has_location:
        raise ImportError(f"no script {module}")
    # a loader of ours may be stricter about compiled files; pytest's has no code
    loader = spec.loader if isinstance(spec.loader, SourceFileLoader) else SourceFileLoader(spec.name, spec.origin)
    code = loader.get_code(spec.name)
    assert code is not None  # only a built-in module has none
    return code, {"__name__": "__main__", "__file__": spec.origin, "__spec__": spec, "__package__": spec.parent}


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
    before, collects = (sys.argv, sys.stdin), gc.isenabled()
    sys.argv, sys.stdin = [module, *words], io.TextIOWrapper(io.BytesIO(given))
    try:
        yield
    finally:
        sys.argv, sys.stdin = before
        if collects:
            _collect()


def _collect() -> None:
    """Undo a script's settings for a short process: it turns the collector off for good."""
    gc.enable()
    atexit.unregister(gc.freeze)
    if next(_RAN) % OFTEN == 0:
        gc.collect()
