"""Agents that do jobs: any program that takes a prompt on standard input and writes its reply."""

import asyncio
import os
import re
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Final, Protocol

from attrs import Factory, frozen

from ...errors import RefusedError
from ...state import attempts as fence
from ...state.files import PRIVATE
from ...state.locks import NO_FOLLOW
from ...types import AgentRole, Tier
from ...util.output import TRANSCRIPT
from ..defaults import SECONDS, TRANSCRIPTS
from ..processes import kept
from ..processes import orphans as leftovers
from ..processes.kept import Files
from .client_files import written
from .job import Job
from .results import CrashError as CrashError
from .results import late, reply_of

_SLOT: Final = re.compile(r"\{(?:model|prompt|files|also)\}")
GRACE: Final = 2.0
"""Seconds that a program has to end by itself after SIGTERM."""
MARGIN: Final = 60.0
"""Seconds beyond its timeout after which a program is killed if its driver has ended."""


@frozen(kw_only=True)
class Attempt:
    """One attempt at a job."""

    job: Job
    number: int
    folder: str
    """Folder of the agent's prompt and output."""
    environment: Mapping[str, str] = Factory(dict)
    """Additional environment of the agent's process: the fence of this attempt."""

    seconds: float = SECONDS
    """Timeout in seconds."""
    choice: int = 0
    """Number of the client in the choices of the job's role."""
    client: str = "the agent"
    """Name of the agent's program, for messages."""
    cwd: str | None = None
    """Working directory, if it is not that of the agent's program."""

    @property
    def files(self) -> Files:
        """Return its files."""
        return Files(given=self.path("prompt"), out=self.path("out"), errors=self.path("errors"))

    def path(self, kind: str) -> str:
        """Return the path of a file of the attempt."""
        return os.path.join(self.folder, f"{self.job.key}-{self.number}.{kind}")


class Agent(Protocol):
    """A worker that does a job and returns a reply. It is cancelled at its timeout."""

    async def work(self, attempt: Attempt) -> str:
        """Return the reply. Raises CrashError."""


class CommandAgent:
    """A program as an agent. Its words are data: no shell reads them, and values of `{…}` are not expanded again.

    Args:
        words: The program and its arguments. `{prompt}` is the file with the prompt, `{files}` the folder of `files`.
        model: Words to add if `models` has a name, `{model}`, for the job's tier.
        models: Names of models by tier.
        cwd: Working directory.
        environment: Its whole environment; None for that of this process.
        files: Files that are written before the program starts, by name.
        also: A folder outside of the working directory that agents read and write, `{also}` in the words.
    """

    def __init__(
        self,
        words: tuple[str, ...],
        model: tuple[str, ...] = (),
        models: Mapping[Tier, str] | None = None,
        cwd: str | None = None,
        environment: Mapping[str, str] | None = None,
        files: Mapping[str, str] = MappingProxyType({}),
        also: str = "",
    ) -> None:
        self.words, self.model, self.models, self.cwd = words, model, models or {}, cwd
        self.files, self.also = files, also
        self.environment = dict(os.environ if environment is None else environment)

    async def work(self, attempt: Attempt) -> str:
        """Start it in its own session and wait for its end; processes that it leaves running are killed."""
        files, cwd = attempt.files, os.path.abspath(attempt.cwd or self.cwd or ".")
        _prepare(files, _encoded(attempt.job.prompt))
        try:
            ended = await kept.run(
                self._words(attempt),
                files,
                environment={**self.environment, "PWD": cwd, **attempt.environment},
                cwd=cwd,
                seconds=attempt.seconds + MARGIN,
                grace=GRACE,
            )
        except asyncio.CancelledError:
            if fence.VARIABLE in attempt.environment:
                await asyncio.to_thread(leftovers.end, fence.VARIABLE, attempt.environment[fence.VARIABLE])
            raise
        except (OSError, RefusedError) as error:
            why = error.strerror or str(error) if isinstance(error, OSError) else f"{error}. {error.fix}"
            raise CrashError(f"cannot run {self.words[0]}: {why}") from None
        return reply_of(files, ended, attempt.client)

    def _words(self, attempt: Attempt) -> list[str]:
        model = self.models.get(attempt.job.tier or Tier.STANDARD)
        words = (*self.words, *(self.model if model else ()))
        files = written(self.files) if self.files else ""
        known = {"{model}": model or "", "{prompt}": attempt.path("prompt"), "{files}": files, "{also}": self.also}
        return [_SLOT.sub(lambda found: known[found[0]], word) for word in words]


class RoleAgents:
    """The agents of each role, the preferred one first; under None those of all other roles."""

    def __init__(self, agents: Mapping[AgentRole | None, Sequence[Agent]]) -> None:
        self.agents = agents

    async def work(self, attempt: Attempt) -> str:
        """Have the chosen agent do the work."""
        found = self.agents.get(attempt.job.role, self.agents[None])
        return await found[attempt.choice].work(attempt)


def _encoded(prompt: str) -> bytes:
    """Return the input of an agent. The result of its program follows a null byte."""
    return prompt.replace("\0", "�").encode(errors="replace")


def _prepare(files: Files, given: bytes) -> None:
    """Write the input to a new file, after which a killed attempt with the same files makes none; delete its others."""
    _delete(files.given)
    with open(files.given, "xb", opener=lambda name, flags: os.open(name, flags | NO_FOLLOW, PRIVATE)) as file:
        file.write(given)
    _delete(files.out)
    _delete(files.errors)


def _delete(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


def unfinished(attempt: Attempt) -> CrashError:
    """Return the error for an attempt that was ended at its time limit."""
    return late(attempt.files, attempt.client, attempt.seconds)


def finished(attempt: Attempt) -> str | None:
    """Return the reply of an attempt whose driver ended; None if it did not end by itself, or had another job.

    Raises:
        CrashError, ReplyError: If the attempt failed.
    """
    found = kept.left(attempt.files.given)
    if found is None:
        return None
    prompt, ended = found
    if ended.status == -signal.SIGKILL or not prompt.startswith(_encoded(attempt.job.prompt)):
        return None
    return reply_of(attempt.files, ended, attempt.client)


def fenced(file: str, token: str, mark: str = "") -> dict[str, str]:
    """Return an attempt's environment.

    It holds the fence, the transcript beside the fence's file, and `mark`, which names the run.
    """
    transcript = os.path.join(os.path.dirname(file), f"{token.replace('/', '-')}{TRANSCRIPTS}")
    environment = {fence.VARIABLE: fence.variable(file, token), TRANSCRIPT: transcript}
    return {**environment, leftovers.VARIABLE: mark} if mark else environment
