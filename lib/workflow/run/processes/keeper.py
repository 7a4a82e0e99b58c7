"""A keeper: a program that runs agents for the driver of a run, and goes on until they end, even if the driver dies.

`kept.py` starts it by its path, isolated (`-I -S`), so it imports no other module of ours than `capture.py` beside it.
Standard input is a socket to the driver. Each line is a JSON object: first the driver's environment, because Python
may have added to the keeper's; then an `Order`, or `{"id": 7, "signal": 15}` for the group of a program. When a program
is over, its result is appended to the file of its input, after a null byte, then sent back as one line:

  {"id": 7, "status": 0, "out": 120, "errors": 0, "fault": ""}

`out` and `errors` count bytes; `fault` says why a program did not run, or its output was not kept. If the driver ends
in any way, the programs go on to their end or their timeout, and a resumed run finds their replies.

A new file takes 0.01 to 0.7 ms. So a result has none of its own, and output has one only if there is some.
"""

import errno
import json
import os
import select
import signal
import sys
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, TypedDict

if TYPE_CHECKING:
    from .capture import Capture
else:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from capture import Capture

    sys.path.pop(0)

READ = 1 << 16
"""Bytes per read."""
DRAINED = 1 << 20
"""Bytes read after a program's end: the capacity of a pipe. Processes that it left running may write for ever."""
RESTORED = [signal.SIGPIPE, signal.SIGXFSZ]
"""Signals that Python ignores, and a program must not."""


class Order(TypedDict):
    """A program to run."""

    id: int
    program: str
    """Path of the program."""
    words: list[str]
    environment: dict[str, str | None]
    """Changes of the driver's environment; None removes a variable."""
    cwd: str
    given: str
    """File with its standard input, to which its result is appended."""
    out: str
    errors: str
    """Files for its output, which are made when there is some."""
    seconds: float
    """Timeout in seconds, after which it is killed."""


class Program:
    """A program that runs in a session of its own."""

    def __init__(self, order: Order, environment: dict[bytes, bytes]) -> None:
        self.order, self.fault, self.status = order, "", -1
        self.number = 0
        """Number of its process; 0 if it did not start."""
        self.until = time.monotonic() + order["seconds"]
        self.captures: dict[int, Capture] = {}
        """Captures by the descriptor of their pipe."""
        self.given = -1
        ends: list[int] = []
        try:
            self._open(ends)
            self._start(ends, changed(environment, order["environment"]))
        except (OSError, ValueError) as error:  # the latter: a null byte in a word
            self.fault = getattr(error, "strerror", None) or str(error)
        finally:
            for end in ends:
                os.close(end)

    def _open(self, ends: list[int]) -> None:
        """Open its files, and a pipe for each; add the writing ends to `ends`."""
        self.given = os.open(self.order["given"], os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        for path in (self.order["out"], self.order["errors"]):
            reader, writer = os.pipe()
            ends.append(writer)
            os.set_blocking(reader, False)
            self.captures[reader] = Capture(partial(self._new, path))

    def _new(self, path: str) -> BinaryIO:
        """Make a file for output. Raises OSError if a later attempt has taken over the files of this one."""
        if not os.fstat(self.given).st_nlink:
            raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))
        return open(path, "x+b", buffering=0, opener=lambda name, flags: os.open(name, flags, 0o600))

    def _start(self, ends: list[int], environment: dict[bytes, bytes]) -> None:
        """Start it, in half the time that `subprocess` takes. This process has one thread, so it can change folders."""
        os.chdir(self.order["cwd"])
        try:
            self.number = os.posix_spawn(
                self.order["program"],
                self.order["words"],
                environment,
                file_actions=[
                    (os.POSIX_SPAWN_OPEN, 0, self.order["given"], os.O_RDONLY, 0),
                    (os.POSIX_SPAWN_DUP2, ends[0], 1),
                    (os.POSIX_SPAWN_DUP2, ends[1], 2),
                ],
                setsid=True,
                setsigdef=RESTORED,
            )
        finally:
            os.chdir("/")

    def read(self, pipe: int) -> int:
        """Read a pipe once and return the number of bytes. A program whose output cannot be kept is killed."""
        try:
            data = os.read(pipe, READ)
        except BlockingIOError:
            return 0
        try:
            if data and not self.fault:
                self.captures[pipe].write(data)
        except OSError as error:
            self.fault = error.strerror or str(error)
            self.signal(signal.SIGKILL)
        return len(data)

    def signal(self, number: int) -> None:
        """Signal the program and all processes in its group."""
        if self.number:
            with suppress(ProcessLookupError, PermissionError):  # the latter: only zombies are left
                os.killpg(self.number, number)

    def check(self) -> bool:
        """Return True if it is over; kill it at its timeout. The rest of its group is then killed."""
        if not self.number:
            return True
        if time.monotonic() > self.until and not self.fault:
            self.fault = f"it did not finish within {self.order['seconds']:g} seconds"
            self.signal(signal.SIGKILL)
        if hasattr(os, "waitid"):  # not on macOS before Python 3.13
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
            if os.waitid(os.P_PID, self.number, flags) is None:
                return False
            self.signal(signal.SIGKILL)  # while it is not reaped, its group's number is not reused
        ended, status = os.waitpid(self.number, os.WNOHANG)
        if ended:
            self.status = os.waitstatus_to_exitcode(status)
        return bool(ended)

    def close(self) -> str:
        """Read the remaining output, write the result, and return it as a line. The program is over."""
        for pipe, capture in self.captures.items():
            left = DRAINED
            while left > 0 and (size := self.read(pipe)):
                left -= size
            os.close(pipe)
            with suppress(OSError):
                capture.settle()
            capture.close()
        out, errors = [*(capture.total for capture in self.captures.values()), 0, 0][:2]
        over = {"status": self.status, "out": out, "errors": errors, "fault": self.fault}
        if self.given >= 0:
            with suppress(OSError):  # a resumed run then does not know the result
                os.write(self.given, f"\0{json.dumps(over)}\n".encode())
            os.close(self.given)
        return json.dumps({"id": self.order["id"], **over})


def changed(environment: dict[bytes, bytes], changes: dict[str, str | None]) -> dict[bytes, bytes]:
    """Return the environment with changes; None removes a variable."""
    whole = environment.copy()
    for name, value in changes.items():
        if value is None:
            whole.pop(os.fsencode(name), None)
        else:
            whole[os.fsencode(name)] = os.fsencode(value)
    return whole


class Keeper:
    """A runner of the programs of its orders."""

    def __init__(self) -> None:
        self._programs: dict[int, Program] = {}
        self._environment: dict[bytes, bytes] | None = None
        self._poll, self._rest, self._is_told = select.poll(), b"", True
        self._woken, wake = os.pipe()
        for end in (self._woken, wake):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        for handle in (0, self._woken):
            self._poll.register(handle, select.POLLIN)

    def keep(self) -> None:
        """Run programs until the driver is gone and all are over."""
        while self._is_told or self._programs:
            for handle, _ in self._poll.poll(self._patience()):
                self._heed(handle)
            for program in [each for each in self._programs.values() if each.check()]:
                self._end(program)

    def _patience(self) -> float | None:
        """Return the milliseconds until the first timeout of a program."""
        ends = [program.until for program in self._programs.values()]
        return max(min(ends) - time.monotonic(), 0.01) * 1000 if ends else None

    def _heed(self, handle: int) -> None:
        if handle == self._woken:
            with suppress(BlockingIOError):
                os.read(handle, READ)
        elif handle == 0:
            self._listen()
        else:
            program = next(each for each in self._programs.values() if handle in each.captures)
            if not program.read(handle):
                self._poll.unregister(handle)

    def _listen(self) -> None:
        try:
            data = os.read(0, READ)
        except ConnectionError:
            data = b""
        if not data:
            self._poll.unregister(0)
            self._is_told = False
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            order = json.loads(line)
            if self._environment is None:
                self._environment = changed({}, order)
            elif "signal" in order:
                if order["id"] in self._programs:
                    self._programs[order["id"]].signal(order["signal"])
            else:
                self._begin(order, self._environment)

    def _begin(self, order: Order, environment: dict[bytes, bytes]) -> None:
        program = self._programs[order["id"]] = Program(order, environment)
        for pipe in program.captures:
            self._poll.register(pipe, select.POLLIN)

    def _end(self, program: Program) -> None:
        del self._programs[program.order["id"]]
        for pipe in program.captures:
            with suppress(KeyError):  # it was closed before
                self._poll.unregister(pipe)
        line = program.close()
        with suppress(OSError):
            os.write(0, f"{line}\n".encode())


if __name__ == "__main__":
    Keeper().keep()
