"""Agents: whoever does a job. One is any program that takes a prompt on standard input and writes its reply."""

import asyncio
import os
import re
import signal
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import BinaryIO, Final, Protocol

from attrs import Factory, frozen

from ..errors import RefusedError
from ..state import attempts as fence
from ..state.files import PRIVATE
from ..state.locks import NO_FOLLOW
from ..types import Tier
from ..util.output import TRANSCRIPT
from . import kept
from . import orphans as leftovers
from .capture import PART
from .client_files import written
from .defaults import SECONDS
from .job import LONGEST, Job, ReplyError
from .kept import Files, Over

_SLOT: Final = re.compile(r"\{(?:model|prompt|files)\}")
TRANSCRIPTS: Final = ".transcript"
"""What the names of transcripts end with."""
GRACE: Final = 2.0
"""Seconds that a program has to end by itself when it is told to."""
MARGIN: Final = 60.0
"""Seconds beyond its time after which a program is killed whose driver has ended."""
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

    seconds: float = SECONDS
    """The time that it has."""

    @property
    def files(self) -> Files:
        """Its files."""
        return Files(given=self.path("prompt"), out=self.path("out"), errors=self.path("errors"), end=self.path("end"))

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
        files = attempt.files
        with suppress(FileNotFoundError):
            os.unlink(files.end)
        with _new(files.given) as given, _new(files.out), _new(files.errors):
            given.write(attempt.job.prompt.encode(errors="replace"))
        try:
            ended = await kept.run(
                self._words(attempt),
                files,
                environment={**self.environment, **attempt.environment},
                cwd=self.cwd,
                seconds=attempt.seconds + MARGIN,
                grace=GRACE,
            )
        except asyncio.CancelledError:
            if fence.VARIABLE in attempt.environment:
                leftovers.end(fence.VARIABLE, attempt.environment[fence.VARIABLE])
            raise
        except (OSError, RefusedError) as error:
            why = error.strerror or str(error) if isinstance(error, OSError) else f"{error}. {error.fix}"
            raise CrashError(f"{self.words[0]} does not run: {why}") from None
        return _reply(attempt, ended)

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


def finished(attempt: Attempt) -> str | None:
    """Return the reply of an attempt whose driver has ended; None if it did not end by itself, or was at other work.

    Raises:
        CrashError, ReplyError: The attempt has failed.
    """
    ended = kept.over(attempt.files.end)
    try:
        with open(attempt.files.given, "rb") as given:
            prompt = given.read().decode(errors="replace")
    except FileNotFoundError:
        return None
    if ended is None or ended.status == -signal.SIGKILL or not prompt.startswith(attempt.job.prompt):
        return None
    return _reply(attempt, ended)


def _reply(attempt: Attempt, ended: Over) -> str:
    files = attempt.files
    if ended.fault:
        raise CrashError(f"it does not run: {ended.fault}")
    if ended.status:
        raise CrashError(f"exit status {ended.status}. {_tail(files.errors, 400).strip()}".strip())
    if ended.out > READ:
        kept_part = "its first and its last part" if ended.out > 2 * PART else "all of it"
        raise ReplyError(
            f"it wrote {ended.out:,} bytes; a reply has at most {LONGEST:,} characters; {files.out} holds {kept_part}"
        )
    return _tail(files.out, READ)


def _tail(path: str, size: int) -> str:
    with open(path, "rb") as file:
        file.seek(max(file.seek(0, os.SEEK_END) - size, 0))
        return file.read(size).decode(errors="replace")


def fenced(file: str, token: str, mark: str = "") -> dict[str, str]:
    """The environment of an attempt: its fence, its transcript beside the fence's file, and `mark`, which tells the
    run that it belongs to."""
    attempt = token.rpartition("/")[2]
    transcript = f"{file.removesuffix('.fence')}-{attempt}{TRANSCRIPTS}"
    environment = {fence.VARIABLE: fence.variable(file, token), TRANSCRIPT: transcript}
    return {**environment, leftovers.VARIABLE: mark} if mark else environment
