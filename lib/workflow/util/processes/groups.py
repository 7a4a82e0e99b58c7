"""Programs in process groups of their own, which end when this process does."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import IO, Final, TypeAlias

from ..search_path import program_path

Process: TypeAlias = "subprocess.Popen[bytes]"
Stream: TypeAlias = IO[bytes] | int

VARIABLE: Final = "STEPSCRIPT_PARENT"
"""Environment variable that identifies all processes started here, by a unique value."""
WATCHDOG: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "watchdog.py")


def start(
    words: Sequence[str],
    *,
    cwd: str | None = None,
    environment: Mapping[str, str] | None = None,
    stdin: Stream = subprocess.DEVNULL,
    stdout: Stream = subprocess.DEVNULL,
    stderr: Stream = subprocess.DEVNULL,
) -> Process:
    """Start a program in a session of its own, without a terminal.

    Args:
        words: The program and its arguments; no shell reads them.
        cwd: Its working directory; None for this process's.
        environment: Its whole environment; by default this process's.
        stdin: A file, a descriptor or a constant of subprocess; nothing to read by default.
        stdout: As `stdin`; dropped by default.
        stderr: As `stdout`.

    Raises:
        OSError: If the program cannot be started.
    """
    program = program_path(words[0], environment)
    dog = _watchdog()
    child_env = {**(os.environ if environment is None else environment), VARIABLE: dog.mark}
    if cwd is not None and "PWD" in child_env:  # some programs take PWD for their working directory
        child_env["PWD"] = os.path.abspath(cwd)
    dog.expect()
    try:
        process = subprocess.Popen(
            words,
            executable=program,
            cwd=cwd,
            env=child_env,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
    except BaseException:
        dog.expect_no_more()
        raise
    dog.watch(process.pid)
    return process


def has_ended(process: Process) -> bool:
    """Return True if the program has ended. It is not reaped, so its group keeps its number and can be signalled."""
    if process.returncode is not None:
        return True
    if not hasattr(os, "waitid"):  # macOS before Python 3.13
        return process.poll() is not None
    try:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:  # the system reaps the children, as the parent of this process chose
        return True


def signal_group(process: Process, how: signal.Signals) -> None:
    """Signal the program and all processes in its group."""
    with suppress(ProcessLookupError, PermissionError):  # some systems raise the latter if only zombies are left
        os.killpg(process.pid, how)


def end(process: Process) -> int:
    """Kill the rest of the program's group, and wait for the program. Returns its exit status."""
    signal_group(process, signal.SIGKILL)
    _watchdog().forget(process.pid)
    return process.wait()


class _Watchdog:
    """The process that ends the programs started by this one; see `watchdog.py`."""

    def __init__(self) -> None:
        self.mark = f"{os.getpid()}-{os.urandom(8).hex()}"
        self._groups: set[int] = set()
        self._pipe = self._begun()

    def expect(self) -> None:
        """Ask it to wait for a program that is being started, if this process ends before `watch`."""
        self._tell("*\n")

    def expect_no_more(self) -> None:
        """Say that the program that was expected has not started."""
        self._tell("!\n")

    def watch(self, group: int) -> None:
        """Ask it to end the group of the program that was expected when this process has ended."""
        self._groups.add(group)
        self._tell(f"+{group}\n")

    def forget(self, group: int) -> None:
        """Ask it to leave an ended group alone: its number may be reused."""
        self._groups.discard(group)
        self._tell(f"-{group}\n")

    def _tell(self, line: str) -> None:
        """Write a line to it. If it was killed, start another one."""
        try:
            os.write(self._pipe, line.encode())
        except BrokenPipeError:
            os.close(self._pipe)
            self._pipe = self._begun()
            os.write(self._pipe, ("".join(f"+{group}\n" for group in self._groups) + line).encode())

    def _begun(self) -> int:
        """Start it and return the end of its pipe.

        Its environment is empty, so it is not taken for a started program. It has a group of its own from its first
        moment: a signal for this process's group, as from the terminal or from this one's own starter, must not end it.
        """
        reader, writer = os.pipe()
        try:
            actions = [
                (os.POSIX_SPAWN_DUP2, reader, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ]
            words = [sys.executable, "-I", "-S", WATCHDOG, f"{VARIABLE}={self.mark}"]
            os.posix_spawn(sys.executable, words, {}, file_actions=actions, setpgroup=0)
        finally:
            os.close(reader)
        return writer


@cache
def _watchdog() -> _Watchdog:
    """Return this process's watchdog, which starts with the first program."""
    return _Watchdog()
