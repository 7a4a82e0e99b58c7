"""The ways to run a step's command: as a process, or in this one."""

import asyncio
import os
from collections.abc import Callable, Mapping
from tempfile import TemporaryFile
from typing import Final

from ..command import Command
from ..util.progress import Progress, read_progress
from .driver.activities import Printed, RunStep
from .processes import programs

TIME: Final = 120.0
"""Seconds that a step has at first, and beyond each time that its progress lines ask for. A slower one hangs."""
LONGEST: Final = 86_400.0
"""Maximum seconds to wait for a step, whatever it asks for."""
MOST: Final = 3 << 20
"""Maximum bytes of a step's output."""
KEPT: Final = 1 << 16
"""Bytes kept from the end of its standard error."""
Tell = Callable[[Progress], None]
"""Receiver of the progress of a slow step."""


async def as_process(
    command: Command,
    given: str,
    environment: Mapping[str, str],
    cwd: str | None = None,
    tell: Tell = lambda progress: None,
) -> Printed:
    """Run a step as a process, without a shell. A step that exceeds its time is killed, which is an error.

    A step can ask for more time: one that runs a project's checks says how long each may take.
    """
    out, limit = _Out(), asyncio.timeout(TIME)

    def heard(progress: Progress) -> None:
        tell(progress)
        limit.reschedule(asyncio.get_running_loop().time() + progress.seconds + TIME)

    errors = _Errors(heard)
    words = (*command.launcher, "-m", command.module, *command.words)
    with TemporaryFile() as file:
        file.write(given.encode())
        file.seek(0)
        try:
            async with limit:
                status = await programs.run(
                    words, given=file, out=out, errors=errors, environment={**os.environ, **environment}, cwd=cwd
                )
        except TimeoutError:
            return Printed(-1, "", f"it was still running {TIME:g} seconds after its last sign of life; it was ended")
        except OSError as error:
            return Printed(-1, "", f"cannot run {words[0]}: {error.strerror or error}")
    if out.total > MOST:
        return Printed(-1, "", f"it printed {out.total:,} bytes; at most {MOST:,} are read")
    return Printed(status, out.kept.decode(errors="replace"), errors.kept.decode(errors="replace"))


def process_in(folder: str | None, tell: Tell = lambda progress: None) -> RunStep:
    """Return a function that runs steps as processes in a folder."""

    async def run_step(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
        return await as_process(command, given, environment, folder, tell)

    return run_step


async def in_this_process(command: Command, given: str, environment: Mapping[str, str]) -> Printed:
    """Run a step in this process, a hundred times faster than as a process. Only one step can run at a time."""
    from ..testing.inprocess import run_here

    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    try:
        return Printed(*run_here(command, given))
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class _Out:
    """Standard output of a step, up to its maximum size."""

    def __init__(self) -> None:
        self.kept, self.total = bytearray(), 0

    def write(self, data: bytes) -> None:
        """Take bytes; keep only the first ones if there are too many."""
        self.kept += data[: MOST - len(self.kept)]
        self.total += len(data)


class _Errors:
    """Standard error of a step: progress is passed on at once, the end of all other text is kept."""

    def __init__(self, heard: Tell) -> None:
        self._heard, self._line = heard, b""
        self._kept = bytearray()

    @property
    def kept(self) -> bytes:
        """Return the kept text, without progress lines."""
        return bytes(self._kept + self._line)[-KEPT:]

    def write(self, data: bytes) -> None:
        """Take bytes, line by line."""
        *lines, rest = (self._line + data).split(b"\n")
        for line in lines:
            progress = read_progress(line.decode(errors="replace"))
            if progress is None:
                self._kept += line + b"\n"
                if len(self._kept) > 2 * KEPT:  # not at each line, which would copy all kept text
                    del self._kept[:-KEPT]
            else:
                self._heard(progress)
        self._line = rest[-KEPT:]
