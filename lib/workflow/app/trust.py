"""Which runs this machine may go on with unasked: a folder of runs can come with a repository, and name any program.

Whoever drives a run here leaves a mark in its folder: of folder, specification and engine, with a key that the user
alone has. It fits no copy elsewhere, and no run whose journal names another agent.
"""

import hmac
import os
import sys
from typing import Final

import click

from ..codec import codec
from ..errors import RefusedError
from ..files import PRIVATE, private_folder, read_whole, replace_whole
from ..homes import user_folder
from ..locks import locked
from ..run.engine import Spec
from .engines import LOCAL, Choice
from .found_runs import command_line, spelled
from .screen import err

MARK: Final = "begun-here"
"""In the driver's folder."""
LENGTH: Final = 32
WAIT: Final = 5.0
"""Seconds for another that makes the key."""


def mark(run: str, spec: Spec, choice: Choice) -> None:
    """Notes that the run is driven here. Where that cannot be, the user is asked when it is to go on."""
    try:
        private_folder(run)
        replace_whole(os.path.join(run, MARK), _fitting(run, spec, choice), PRIVATE)
    except OSError:
        return


def checked(run: str, spec: Spec, choice: Choice) -> None:
    """Asks the user about a run that is not known to be of this machine. Raises RefusedError, click.Abort."""
    if _is_ours(run, spec, choice):
        return
    folder, server = os.path.dirname(run), "" if choice.engine == LOCAL else f", by the server {choice.address}"
    why = f"it is not known that this machine began the run; its agent is the program: {spec.agent}{server}"
    again = command_line("resume", spelled(run), "--trust")
    if sys.stdin is None or not sys.stdin.isatty():
        raise RefusedError("not-ours", folder, why, f"Look at it; if that program may be started:  {again}")
    err().error(f"{folder}: {why}")
    click.confirm("Start it, and go on with the run?", abort=True, err=True)


def _is_ours(run: str, spec: Spec, choice: Choice) -> bool:
    try:
        return hmac.compare_digest(read_whole(os.path.join(run, MARK), LENGTH), _fitting(run, spec, choice))
    except OSError:
        return False


def _fitting(run: str, spec: Spec, choice: Choice) -> bytes:
    server = () if choice.engine == LOCAL else (choice.address, choice.namespace)
    told = (os.path.realpath(run), codec(Spec).dumps(spec), choice.engine, *server)
    return hmac.digest(_key(), ascii(told).encode(), "sha256")


def _key() -> bytes:
    """The user's own, made where there is none. Raises OSError."""
    folder = os.path.join(user_folder(), "trust")
    private_folder(folder)
    path = os.path.join(folder, "key")
    with locked(f"{path}.lock", WAIT):
        if not os.path.lexists(path):
            replace_whole(path, os.urandom(LENGTH), PRIVATE)
        key = read_whole(path, LENGTH)
    if len(key) != LENGTH:
        raise OSError(f"{path} holds no key")
    return key
