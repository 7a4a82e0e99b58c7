"""The project's own checks: the commands that a plan names, run without a shell."""

import os
import select
import shlex
import subprocess
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from lib.workflow.util import processes
from lib.workflow.util.characters import printable
from lib.workflow.util.progress import Progress, say

from ..limits import CHECK_SECONDS, MAX_SAID
from ..schema.review.document import ItemStatus
from ..schema.run import Verdict

if TYPE_CHECKING:
    from lib.workflow.util.processes import Process

READ: Final = 65536
PAUSE: Final = 0.05
"""Seconds between two polls of a check."""
FIRST: Final = 5.0
"""Seconds after which a running check is reported; a shorter one prints nothing."""
EVERY: Final = 30.0
"""Seconds between two reports."""


def run_checks(commands: tuple[str, ...], folder: str, seconds: float = CHECK_SECONDS) -> Iterator[Verdict]:
    """Run one check after the other in the project's folder.

    Each has `seconds`. It ends with all its child processes, and also when this process ends. A check that a signal has
    ended runs once more, because the signal may have come from outside and then says nothing about the project.
    """
    for number, command in enumerate(commands, 1):
        name = f"check {number} of {len(commands)}: {command}"
        status, said = _run(command, name, folder, seconds)
        if status is not None and status < 0:
            status, said = _run(command, name, folder, seconds)
        yield _verdict(command, status, said)


def _verdict(command: str, status: int | None, said: str) -> Verdict:
    """Return the verdict from the exit status alone, whatever the output says."""
    if status == 0:
        return Verdict(item=command, status=ItemStatus.PASS)
    ending = "without an exit status" if status is None else f"with exit status {status}"
    return Verdict(item=command, status=ItemStatus.FAIL, finding=f"It ends {ending}:\n{said}")


def _run(command: str, name: str, folder: str, seconds: float) -> tuple[int | None, str]:
    try:
        process = processes.start(shlex.split(command), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except OSError as error:
        return None, f"cannot be run: {error.strerror or error}"
    try:
        said = _read(process, name, seconds)
        is_over = processes.has_ended(process)
    finally:
        status = processes.end(process)
        if process.stdout is not None:
            process.stdout.close()
    return (status, said) if is_over else (None, f"{said}\nstopped after {seconds:g} seconds")


def _read(process: "Process", name: str, seconds: float) -> str:
    """Return the end of the output, until the process or its time is over. Does not wait for its child processes."""
    assert process.stdout is not None
    kept, handle = b"", process.stdout.fileno()
    begun = time.monotonic()
    report = FIRST
    while (taken := time.monotonic() - begun) < seconds:
        if taken >= report:
            say(Progress(f"{name}, {taken:.0f} s so far", round(seconds - taken) + 1))
            report += EVERY
        is_over = processes.has_ended(process)
        ready = select.select([handle], [], [], 0 if is_over else PAUSE)[0]
        chunk = os.read(handle, READ) if ready else b""
        kept = (kept + chunk)[-4 * MAX_SAID :]
        if is_over and not chunk:
            break
        if ready and not chunk:  # it has closed its output, and goes on
            time.sleep(PAUSE)
    return printable(kept.decode(errors="replace"))[-MAX_SAID:]
