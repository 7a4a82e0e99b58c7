"""The engine of one machine: activities done by this process, and a journal that remembers them."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from attrs import evolve

from .. import fence
from ..ast.nodes import Document
from ..ast.parse import ParseError, parse
from ..ast.relay import NeedsUserInput, UserResponse
from ..ast.step import StepHeader
from ..command import Command
from ..files import private_folder
from ..render.xml import render
from . import leftovers, prompts
from .activities import AgentError, Printed, WaitingError
from .agents import Agent, Attempt, fenced
from .job import Job, Reply, read_reply
from .journal import JOURNAL, Entry, Event, Journal, stamped
from .settling import LOST
from .trying import Limits, tried

RESULTS: Final = (Event.STEP, Event.REPLIED, Event.LOST, Event.ANSWERED)
"""The events that end an activity."""

RunStep = Callable[[Command, str], Awaitable[Printed]]
Listen = Callable[[Entry], None]


class User(Protocol):
    """Whoever answers questions while the run goes on."""

    def answer(self, questions: NeedsUserInput) -> UserResponse | None:
        """The answers; None where the run is to wait for them."""


class Nobody:
    """No user: the run waits."""

    def answer(self, questions: NeedsUserInput) -> UserResponse | None:
        """None."""
        return None


class Local:
    """The activities of one run. What its journal says was done is not done again."""

    def __init__(
        self,
        folder: str,
        past: tuple[Entry, ...],
        *,
        run_step: RunStep,
        agent: Agent,
        user: User | None = None,
        limits: Limits,
        listen: Listen = lambda _: None,
    ) -> None:
        self.folder = folder
        self._done, self._asked = _known(past)
        self._session = 1 + sum(entry.event in (Event.BEGUN, Event.RESUMED) for entry in past)
        self._run_step, self._agent = run_step, agent
        self._user, self._limits, self._listen = user or Nobody(), limits, listen
        self._agents = os.path.join(folder, "agents")
        private_folder(self._agents)
        if past:
            leftovers.end(os.path.join(self._agents, ""))
        self.journal = Journal(os.path.join(folder, JOURNAL))

    def mention(self, entry: Entry) -> None:
        """Writes an entry down that nothing relies on, then tells whoever listens."""
        said = stamped(entry)
        self.journal.append(said)
        self._listen(said)

    async def say(self, entry: Entry) -> None:
        """Writes an entry down, for good, then tells whoever listens."""
        said = stamped(entry)
        self.journal.append(said)
        await self.journal.settled()
        self._listen(said)

    async def step(self, key: str, command: Command, given: str) -> Printed:
        """Runs a step, or says what it printed."""
        done = self._done.pop(key, None)
        if done is not None and done.command == str(command):
            return Printed(done.number, done.text, done.errors)
        printed = await self._run_step(command, given)
        title = title_of(printed.out)
        said = Entry(event=Event.STEP, key=key, command=str(command), number=printed.status, who=title)
        await self.say(evolve(said, text=printed.out, errors=printed.errors))
        return printed

    async def agent(self, job: Job) -> Reply:
        """Has the agent do it, as often as the limits allow."""
        done = self._done.pop(job.key, None)
        if done is not None:
            if done.event is Event.LOST:
                raise AgentError(done.text)
            return read_reply(job, done.text)
        file = os.path.join(self._agents, f"{job.key}.fence")

        def failed(number: int, reason: str) -> None:
            self.mention(Entry(event=Event.FAILED, key=job.key, who=job.role, text=reason, number=number))

        async def work(number: int, reason: str) -> str:
            return await self._attempt(job, number, reason, file)

        try:
            number, reply = await tried(job, self._limits, work, failed)
            await self.say(Entry(event=Event.REPLIED, key=job.key, who=job.role, text=reply.text, number=number))
            return reply
        except AgentError as error:
            await self.say(Entry(event=Event.LOST, key=job.key, who=job.role, text=str(error)))
            raise
        finally:
            fence.close(file)

    async def _attempt(self, job: Job, number: int, reason: str, file: str) -> str:
        token = f"{job.key}/{self._session}.{number}"
        fence.admit(file, token)
        self.mention(Entry(event=Event.ATTEMPT, key=job.key, who=job.role, number=number))
        told = prompts.told_why(job, reason)
        attempt = Attempt(job=told, number=number, folder=self._agents, environment=fenced(file, token))
        async with asyncio.timeout(self._limits.seconds):
            return await self._agent.work(attempt)

    async def ask(self, key: str, questions: NeedsUserInput) -> UserResponse:
        """The answers on record, else the user's, else none yet."""
        done = self._done.pop(key, None)
        if done is not None:
            return read_response(done.text)
        if key not in self._asked:
            await self.say(Entry(event=Event.ASKED, key=key, text=render(questions)))
        response = self._user.answer(questions)
        if response is None:
            raise WaitingError(key, questions)
        await self.say(Entry(event=Event.ANSWERED, key=key, text=render(response)))
        return response


def read_questions(text: str) -> NeedsUserInput:
    """The questions that an entry holds. Raises ParseError."""
    (block,) = parse(text).blocks
    assert isinstance(block, NeedsUserInput)
    return block


def read_response(text: str) -> UserResponse:
    """The answers that an entry holds. Raises ParseError."""
    (block,) = parse(text).blocks
    assert isinstance(block, UserResponse)
    return block


def _known(past: tuple[Entry, ...]) -> tuple[dict[str, Entry], set[str]]:
    """What was done, and what was asked, by key, without what the run stopped at: that is tried again."""
    done: dict[str, Entry] = {}
    asked: set[str] = set()
    is_new = False
    for entry in past:
        if entry.event in RESULTS:
            done.pop(entry.key, None)
            done[entry.key] = entry  # the last
            is_new = True
        elif entry.event is Event.ASKED:
            asked.add(entry.key)
        elif entry.event is Event.STOPPED and is_new:
            _, last = done.popitem()
            asked.discard(last.key)
            lost = _lost_at(last, done) if last.event is Event.ANSWERED else None
            if lost is not None:
                del done[lost]
            is_new = False
    return done, asked


def _lost_at(answer: Entry, done: dict[str, Entry]) -> str | None:
    """The last work on the job that an answer gave up; None where it is about no lost agent."""
    job, _, asks = answer.key.rpartition(".")
    tries = [key for key in done if done[key].event is Event.LOST and (key == job or key.startswith(f"{job}.again"))]
    return tries[-1] if tries and asks.startswith(LOST) else None


def title_of(out: str) -> str:
    """`script 3/14 Title` of a print; nothing of one that cannot be read: the driver says so."""
    try:
        document: Document = parse(out.partition("\n\n")[0])  # where it stands: the driver reads the whole
    except ParseError:
        return ""
    found = [block for block in document.blocks if isinstance(block, StepHeader)]
    return f"{found[0].script} {found[0].step}/{found[0].total} {found[0].title}" if found else ""
