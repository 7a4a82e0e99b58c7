"""Consent at the command line: a run that this user has not begun is shown first, and asked about."""

import os
import sys
from collections.abc import Iterator

import click

from ..errors import RefusedError
from ..run import mark as marks
from ..run.engine import Spec
from .engines import Choice
from .found_runs import command_line, spelled
from .screen import err


def mark(run: str, spec: Spec, choice: Choice) -> None:
    """Mark a run as driven by this user. If that cannot be, it is said, and the run is asked about when it goes on."""
    os.makedirs(run, exist_ok=True)
    try:
        marks.mark(run, spec, choice.server)
    except RefusedError as error:
        err().error(f"the run cannot be marked as yours: {error}\n{error.fix}")


def is_marked(run: str, spec: Spec, choice: Choice) -> bool:
    """Whether this user has begun a run, or agreed to it."""
    return marks.is_marked(run, spec, choice.server)


def check(run: str, spec: Spec, choice: Choice) -> None:
    """Raise RefusedError for a run without this user's consent."""
    marks.check(run, spec, choice.server)


def ask(run: str, spec: Spec, choice: Choice, again: str) -> None:
    """Ask the user about a run without consent. Raises RefusedError if there is no terminal, click.Abort for a no."""
    try:
        check(run, spec, choice)
        return
    except RefusedError as error:
        why = "\n".join((str(error), *would(spec, choice)))
    if not sys.stdin.isatty():
        raise RefusedError("not-yours", os.path.dirname(run), why, f"If the user agrees:  {again}")
    err().error(f"{os.path.dirname(run)}: {why}")
    click.confirm("Start it, and go on with the run?", abort=True, err=True)


def would(spec: Spec, choice: Choice) -> Iterator[str]:
    """What a driven run does when it goes on, a line each."""
    yield f"its agent is the program: {spec.agent}"
    if choice.server:
        yield f"it is kept by the server: {choice.address}, namespace {choice.namespace}"
