"""The engine of one machine: this process executes activities, and a journal records them."""

import asyncio
import os
from collections.abc import Callable
from typing import Final, Protocol

from attrs import evolve

from ..ast.nodes import Document
from ..ast.parse import ParseError, parse
from ..ast.relay import NeedsUserInput, UserResponse
from ..ast.step import StepHeader
from ..command import Command
from ..render.xml import render
from ..state import attempts as fence
from ..state.files import private_folder
from ..util.characters import storable
from . import orphans as leftovers
from . import prompts
from .activities import AgentError, Printed, RunError, RunStep, WaitingError
from .agents import Agent, Attempt, fenced, finished
from .entry import read_questions as read_questions
from .entry import read_response as read_response
from .job import Job, Reply, ReplyError, read_reply
from .journal import AGENTS, JOURNAL, Entry, Event, Journal, LongEntryError, stamped
from .record import MisfitError, Record
from .retries import Limits, tried

LONGEST_ERRORS: Final = 100_000
"""Characters kept from the end of a step's standard error."""

Listen = Callable[[Entry], None]


class User(Protocol):
    """A person who answers questions while the run goes on."""

    def answer(self, questions: NeedsUserInput) -> UserResponse | None:
        """Return the answers, or None if the run must wait."""


class Nobody:
    """A user who never answers: the run waits."""

    def answer(self, questions: NeedsUserInput) -> UserResponse | None:
        """Return None."""
        return None


class Local:
    """The activities of one run. Recorded activities are not executed again.

    Nothing is written, started or ended before the first activity without a record.
    """

    def __init__(
        self,
        folder: str,
        record: Record,
        opening: Entry,
        *,
        run_step: RunStep,
        agent: Agent,
        user: User | None = None,
        limits: Limits,
        listen: Listen = lambda _: None,
    ) -> None:
        self.folder = folder
        self._record, self._opening = record, opening
        self._session = 1 + record.sessions
        self._run_step, self._agent = run_step, agent
        self._user, self._limits, self._listen = user or Nobody(), limits, listen
        self._agents = os.path.join(folder, AGENTS)
        self._journal: Journal | None = None
        self._mark = ""

    async def _opened(self) -> Journal:
        """Return the journal. The first call ends remains of earlier sessions, and records this session."""
        if self._journal is None:
            private_folder(self._agents)
            self._mark = leftovers.mark_of(self._agents)
            if self._record.sessions:
                leftovers.end(leftovers.VARIABLE, self._mark)
            self._journal = Journal(os.path.join(self.folder, JOURNAL))
            await self.say(self._opening)
        return self._journal

    def mention(self, entry: Entry) -> None:
        """Append an entry that nothing relies on, then notify the listener. The journal is open."""
        assert self._journal is not None
        said = stamped(entry)
        self._journal.append(said)
        self._listen(said)

    async def say(self, entry: Entry) -> None:
        """Append an entry and sync it, then notify the listener. Raises RunError if it is too long."""
        journal, said = await self._opened(), stamped(entry)
        try:
            journal.append(said)
        except LongEntryError as error:
            raise RunError(str(error), entry.key) from None
        await journal.settled()
        self._listen(said)

    async def close(self) -> None:
        """Close the journal after a sync."""
        if self._journal is not None:
            await self._journal.close()

    async def step(self, key: str, command: Command, given: str) -> Printed:
        """Run a step, or return its recorded output."""
        done = self._record.take(key, str(command))
        if done is not None:
            return Printed(done.number, done.text, done.errors)
        await self._opened()
        printed = await self._stepped(key, command, given)
        out, errors = storable(printed.out), storable(printed.errors[-LONGEST_ERRORS:])
        said = Entry(event=Event.STEP, key=key, command=str(command), number=printed.status, who=title_of(out))
        await self.say(evolve(said, text=out, errors=errors))
        return Printed(printed.status, out, errors)

    async def _stepped(self, key: str, command: Command, given: str) -> Printed:
        """Run a step with a fence: if this process is killed, the rest of the step writes nothing after a resume."""
        file, token = os.path.join(self._agents, f"{key}.fence"), f"{key}/{self._session}"
        fence.admit(file, token)
        try:
            return await self._run_step(command, given, fenced(file, token, self._mark))
        finally:
            fence.close(file)

    async def agent(self, job: Job) -> Reply:
        """Have the agent do the job, as often as the limits allow."""
        done = self._record.take(job.key, job.command)
        if done is not None:
            if done.event is Event.LOST:
                raise AgentError(done.text)
            try:
                return read_reply(job, done.text)
            except ReplyError as error:
                raise MisfitError(job.key, f"the recorded reply does not fit this job: {error}") from None
        await self._opened()
        file = os.path.join(self._agents, f"{job.key}.fence")
        about = Entry(event=Event.ATTEMPT, key=job.key, who=job.role, command=job.command)

        def failed(number: int, reason: str) -> None:
            self.mention(evolve(about, event=Event.FAILED, text=reason, number=number))

        async def work(number: int, reason: str) -> str:
            token = f"{job.key}/{self._session}.{number}"
            fence.admit(file, token)
            self.mention(evolve(about, number=number))
            attempt = evolve(
                self._attempt(prompts.told_why(job, reason), number), environment=fenced(file, token, self._mark)
            )
            async with asyncio.timeout(self._limits.seconds):
                return storable(await self._agent.work(attempt))

        def left(number: int) -> str | None:
            text = finished(self._attempt(job, number))
            return None if text is None else storable(text)

        try:
            number, reply = await tried(job, self._limits, work, failed, self._record.tries(job.key), left)
            await self.say(evolve(about, event=Event.REPLIED, text=reply.text, number=number))
            return reply
        except AgentError as error:
            await self.say(evolve(about, event=Event.LOST, text=str(error)))
            raise
        finally:
            fence.close(file)

    def _attempt(self, job: Job, number: int) -> Attempt:
        return Attempt(job=job, number=number, folder=self._agents, seconds=self._limits.seconds)

    async def ask(self, key: str, questions: NeedsUserInput) -> UserResponse:
        """Return the recorded answers, else the user's. Raises WaitingError if there are none yet."""
        done = self._record.take(key)
        if done is not None:
            return read_response(done.text)
        if not self._record.is_asked(key):
            await self.say(Entry(event=Event.ASKED, key=key, text=render(questions)))
        response = self._user.answer(questions)
        if response is None:
            raise WaitingError(key, questions)
        await self.say(Entry(event=Event.ANSWERED, key=key, text=render(response)))
        return response


def title_of(out: str) -> str:
    """Return `script 3/14 Title` of a page; empty if it cannot be read, which the driver reports."""
    try:
        document: Document = parse(out.partition("\n\n")[0])  # only the header; the driver reads the whole
    except ParseError:
        return ""
    found = [block for block in document.blocks if isinstance(block, StepHeader)]
    return f"{found[0].script} {found[0].step}/{found[0].total} {found[0].title}" if found else ""
