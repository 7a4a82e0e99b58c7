"""Agents: whoever does a job. One is any program that takes a prompt on standard input and writes its reply."""

import asyncio
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import BinaryIO, Final, Protocol

from attrs import Factory, frozen

from .. import fence
from ..errors import RefusedError
from ..files import PRIVATE
from ..locks import NO_FOLLOW
from ..types import Tier
from . import leftovers, programs
from .capture import Capture
from .client_files import written
from .job import LONGEST, Job, ReplyError

_SLOT: Final = re.compile(r"\{(?:model|prompt|files)\}")
GRACE: Final = 2.0
"""Seconds that a program has to end by itself when it is told to."""
READ: Final = 4 * LONGEST
"""Bytes of output that can be a reply: UTF-8 has at most four for a character."""


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

    `{prompt}` is the file with the prompt, `{files}` the folder of `files`, which are there before it is started.
    `model` are words to add where `models` has a name, `{model}`, for the job's tier. `environment` is set besides.
    """

    def __init__(
        self,
        words: tuple[str, ...],
        model: tuple[str, ...] = (),
        models: Mapping[Tier, str] | None = None,
        cwd: str | None = None,
        environment: Mapping[str, str] = MappingProxyType({}),
        files: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.words, self.model, self.models, self.cwd = words, model, models or {}, cwd
        self.files = files
        self.environment = {**os.environ, **environment}

    async def work(self, attempt: Attempt) -> str:
        """Start it in a session of its own, which ends with it: what it leaves running is killed."""
        with (
            _new(attempt.path("prompt")) as given,
            _new(attempt.path("out")) as out,
            _new(attempt.path("errors")) as errors,
        ):
            given.write(attempt.job.prompt.encode(errors="replace"))
            given.seek(0)
            said, complained = Capture(out), Capture(errors)
            try:
                status = await self._run(attempt, given, said, complained)
            finally:
                said.settle()
                complained.settle()
            if status:
                raise CrashError(f"exit status {status}. {_text(complained, 400).strip()}".strip())
            if said.total > READ:
                raise ReplyError(_too_long(said, attempt.path("out")))
            return _text(said, READ)

    async def _run(self, attempt: Attempt, given: BinaryIO, out: Capture, errors: Capture) -> int:
        """The exit status."""
        try:
            return await programs.run(
                self._words(attempt),
                given=given,
                out=out,
                errors=errors,
                environment={**self.environment, **attempt.environment},
                cwd=self.cwd,
                grace=GRACE,
            )
        except asyncio.CancelledError:
            if fence.VARIABLE in attempt.environment:
                leftovers.end(fence.VARIABLE, attempt.environment[fence.VARIABLE])
            raise
        except (OSError, RefusedError) as error:
            why = error.strerror or str(error) if isinstance(error, OSError) else f"{error}. {error.fix}"
            raise CrashError(f"{self.words[0]} does not run: {why}") from None

    def _words(self, attempt: Attempt) -> list[str]:
        model = self.models.get(attempt.job.tier or Tier.STANDARD)
        words = (*self.words, *(self.model if model else ()))
        files = written(self.files) if self.files else ""
        known = {"{model}": model or "", "{prompt}": attempt.path("prompt"), "{files}": files}
        return [_SLOT.sub(lambda found: known[found[0]], word) for word in words]


def _new(path: str) -> BinaryIO:
    """An empty file. One that is there may be written to still, by what a kill left of an attempt: it is another's."""
    with suppress(FileNotFoundError):
        os.unlink(path)
    return open(path, "x+b", buffering=0, opener=lambda name, flags: os.open(name, flags | NO_FOLLOW, PRIVATE))


def _text(captured: Capture, size: int) -> str:
    return captured.end(size).decode(errors="replace")


def _too_long(captured: Capture, path: str) -> str:
    """Why an output that long is no reply."""
    kept = f"{path} holds its first and its last part" if captured.left_out else f"{path} holds all of it"
    return f"it wrote {captured.total:,} bytes; a reply has at most {LONGEST:,} characters; {kept}"


def fenced(file: str, token: str, mark: str = "") -> dict[str, str]:
    """The environment of an attempt; `mark` tells the run that it belongs to."""
    environment = {fence.VARIABLE: fence.variable(file, token)}
    return {**environment, leftovers.VARIABLE: mark} if mark else environment
