"""Agents: whoever does a job. One is any program that takes a prompt on standard input and writes its reply."""

import asyncio
import os
import re
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from typing import BinaryIO, Final, Protocol

from attrs import Factory, frozen

from .. import fence
from ..command import launcher
from ..shell import join
from ..types import Tier
from . import leftovers
from .ends import Process, over
from .job import LONGEST, Job

_SLOT: Final = re.compile(r"\{(?:model|prompt|python)\}")
GRACE: Final = 2.0
"""Seconds that a program has to end by itself when it is told to."""
READ: Final = 4 * LONGEST
"""Bytes of output that are read: its end, where the reply is."""


class CrashError(Exception):
    """An attempt that came to no reply; the message says why."""


@frozen(kw_only=True)
class Attempt:
    """One try at a job."""

    job: Job
    number: int
    folder: str
    """Where what the agent is told and says is kept."""
    environment: Mapping[str, str] = Factory(dict)
    """What the agent's process is told besides: the fence of this attempt."""

    def path(self, kind: str) -> str:
        """Where a file of the attempt is kept."""
        return os.path.join(self.folder, f"{self.job.key}-{self.number}.{kind}")


class Agent(Protocol):
    """Does a job and says something at the end. It is cancelled when its time is over."""

    async def work(self, attempt: Attempt) -> str:
        """The reply. Raises CrashError."""


class CommandAgent:
    """A program. Its words are data: no shell reads them, and what stands for `{…}` in one is never looked into.

    `{prompt}` is the file with the prompt, `{python}` the beginning of our commands. `model` are words to add where
    `models` has a name, `{model}`, for the job's tier.
    """

    def __init__(
        self,
        words: tuple[str, ...],
        model: tuple[str, ...] = (),
        models: Mapping[Tier, str] | None = None,
        cwd: str | None = None,
    ) -> None:
        self.words, self.model, self.models, self.cwd = words, model, models or {}, cwd
        self._environment = dict(os.environ)

    async def work(self, attempt: Attempt) -> str:
        """Starts it in a session of its own, which ends with it: what it leaves running is killed."""
        with (
            _new(attempt.path("prompt")) as given,
            _new(attempt.path("out")) as out,
            _new(attempt.path("errors")) as errors,
        ):
            given.write(attempt.job.prompt.encode(errors="replace"))
            given.seek(0)
            status = await self._run(attempt, given, out, errors)
            if status:
                raise CrashError(f"exit status {status}. {_tail(errors, 400).strip()}".strip())
            return _tail(out, READ)

    async def _run(self, attempt: Attempt, given: BinaryIO, out: BinaryIO, errors: BinaryIO) -> int:
        """The exit status."""
        try:
            process = subprocess.Popen(
                self._words(attempt),
                stdin=given,
                stdout=out,
                stderr=errors,
                cwd=self.cwd,
                env={**self._environment, **attempt.environment},
                start_new_session=True,
            )
        except OSError as error:
            raise CrashError(f"{self.words[0]} does not start: {error.strerror}") from None
        try:
            return await over(process)
        except asyncio.CancelledError:
            await _ended(process)
            if fence.VARIABLE in attempt.environment:
                leftovers.end(attempt.environment[fence.VARIABLE])
            raise
        finally:
            _kill(process, signal.SIGKILL)

    def _words(self, attempt: Attempt) -> list[str]:
        model = self.models.get(attempt.job.tier or Tier.STANDARD)
        words = (*self.words, *(self.model if model else ()))
        known = {"{model}": model or "", "{prompt}": attempt.path("prompt"), "{python}": join(launcher())}
        return [_SLOT.sub(lambda found: known[found[0]], word) for word in words]


async def _ended(process: Process) -> None:
    _kill(process, signal.SIGTERM)
    try:
        async with asyncio.timeout(GRACE):
            await over(process)
    except TimeoutError:
        _kill(process, signal.SIGKILL)
        await over(process)


def _kill(process: Process, how: signal.Signals) -> None:
    """Tells the program and all that it has started, as far as they are in its session."""
    try:
        os.killpg(process.pid, how)
    except ProcessLookupError:
        return
    except PermissionError:  # how some systems say that only zombies are left
        return


def _new(path: str) -> BinaryIO:
    """An empty file. One that is there may be written to still, by what a kill left of an attempt: it is another's."""
    with suppress(FileNotFoundError):
        os.unlink(path)
    return open(path, "x+b")


def _tail(file: BinaryIO, size: int) -> str:
    file.seek(max(file.seek(0, os.SEEK_END) - size, 0))
    return file.read(size).decode(errors="replace")


def fenced(file: str, token: str) -> dict[str, str]:
    """The environment of an attempt."""
    return {fence.VARIABLE: fence.variable(file, token)}
