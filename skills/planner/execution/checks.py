"""The project's own checks: the commands that a plan names, run without a shell."""

import os
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress

from lib.workflow.characters import printable

from ..limits import CHECK_SECONDS, MAX_SAID
from ..schema.review import ItemStatus
from ..schema.run import Verdict

READ = 65536


def run_checks(commands: tuple[str, ...], folder: str, seconds: float = CHECK_SECONDS) -> Iterator[Verdict]:
    """Runs one after the other in the project's folder; each has so many seconds."""
    for command in commands:
        status, said = _run(shlex.split(command), folder, seconds)
        yield _verdict(command, status, said)


def _verdict(command: str, status: int | None, said: str) -> Verdict:
    """By the exit status alone, whatever it says."""
    if status == 0:
        return Verdict(item=command, status=ItemStatus.PASS)
    ending = "without an exit status" if status is None else f"with exit status {status}"
    return Verdict(item=command, status=ItemStatus.FAIL, finding=f"It ends {ending}:\n{said}")


def _run(words: list[str], folder: str, seconds: float) -> tuple[int | None, str]:
    try:
        process = subprocess.Popen(
            words,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return None, f"cannot be run: {error.strerror or error}"
    try:
        said = _read(process, time.monotonic() + seconds)
        status = process.poll()
    finally:
        _end(process)
    return status, said if status is not None else f"{said}\nstopped after {seconds:g} seconds"


def _read(process: "subprocess.Popen[bytes]", end: float) -> str:
    """The end of what it says, until it is over or its time is. What it leaves running is not waited for."""
    assert process.stdout is not None
    kept, handle = b"", process.stdout.fileno()
    while (left := end - time.monotonic()) > 0:
        over = process.poll() is not None
        ready = select.select([handle], [], [], 0 if over else min(left, 0.05))[0]
        chunk = os.read(handle, READ) if ready else b""
        kept = (kept + chunk)[-4 * MAX_SAID :]
        if ready and not chunk:  # it says no more
            with suppress(subprocess.TimeoutExpired):
                process.wait(left)
            break
        if over and not ready:
            break
    return printable(kept.decode(errors="replace"))[-MAX_SAID:]


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Stops what it has started, too."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
