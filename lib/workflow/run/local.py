"""The engine of one machine: this process executes activities, and a journal records them."""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from attrs import evolve

from ..ast.relay import NeedsUserInput, UserResponse
from ..command import Command
from ..errors import RefusedError
from ..render.xml import render
from ..state import attempts
from ..state.files import private_folder
from ..util.characters import storable
from ..util.terminal import plain
from .clients.agents import Agent, Attempt, fenced, finished, unfinished
from .clients.job import Job, Reply, ReplyError, read_reply
from .clients.results import CrashError
from .driver import prompts
from .driver.activities import AgentError, Place, Printed, RunError, RunStep, WaitingError
from .driver.breaker import Breakers, Clients
from .driver.ceilings import Ceilings
from .driver.pace import Pace
from .driver.retries import Limits, Retrier
from .fences import Fences
from .journal.entry import header_of
from .journal.entry import read_questions as read_questions
from .journal.entry import read_response as read_response
from .journal.journal import AGENTS, JOURNAL, Entry, Event, Journal, LongEntryError, stamp_now, stamp_of, stamped
from .processes import orphans as leftovers
from .record import MisfitError, Record
from .spending.usage import usage_of, used_by
from .workplace import Lent, Workplace, in_thread

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
        clients: Clients,
        ceilings: Ceilings,
        pace: Pace,
        workplace: Workplace,
        prices: Mapping[str, float] = MappingProxyType({}),
        listen: Listen = lambda _: None,
    ) -> None:
        self.folder = folder
        self._record, self._opening = record, opening
        self.session = 1 + record.sessions
        self._run_step, self._agent = run_step, agent
        self.limits, self._clients, self._pace, self.workplace = limits, clients, pace, workplace
        self.prices = prices
        self._user, self._listen = user or Nobody(), listen
        self._breakers, self.ceilings = Breakers(), ceilings
        self.agents = os.path.join(folder, AGENTS)
        self._journal: Journal | None = None
        self._mark = ""

    async def _opened(self) -> Journal:
        """Return the journal. The first call ends remains of earlier sessions, and records this session."""
        if self._journal is None:
            private_folder(self.agents)
            self._fences = Fences(self.agents)
            self._mark = leftovers.mark_of(self.agents)
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
        token = f"{key}/{self.session}"
        with self._fences.fence() as file:
            attempts.admit(file, token)
            return await self._run_step(command, given, self.fenced(file, token))

    async def agent(self, job: Job, place: Place) -> Reply:
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
        clients = self._clients(job.role)
        with self._fences.fence() as file:
            worker = _Worker(self, job, clients, file)
            retrier = Retrier(job, self.limits, worker, self._pace, self._breakers.of(clients), place)
            try:
                number, reply = await retrier.run(self._record.tries(job.key), worker.left)
                place.leave()  # to the next agent, which need not wait for the disk
                await self.say(worker.entry(Event.REPLIED, reply.text, number))
                return reply
            except AgentError as error:
                await self.say(worker.entry(Event.LOST, str(error)))
                raise
            finally:
                worker.release()

    def fenced(self, file: str, token: str) -> dict[str, str]:
        """Return the environment of an attempt behind a fence."""
        return fenced(file, token, self._mark)

    async def attempt(self, attempt: Attempt, token: str, file: str) -> str:
        """Make an attempt behind a fence, within its time. Raises CrashError, TimeoutError."""
        attempts.admit(file, token)
        try:
            async with asyncio.timeout(attempt.seconds):
                return storable(plain(await self._agent.work(attempt)))
        except TimeoutError:
            if not os.path.exists(attempt.files.given):  # no program, but a simulated agent
                raise
            raise unfinished(attempt) from None

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


class _Worker:
    """The attempts at one job, and their records."""

    def __init__(self, local: Local, job: Job, clients: Sequence[str], file: str) -> None:
        self._local, self._job, self._clients, self._file = local, job, clients, file
        self._last: Attempt | None = None

    def entry(self, event: Event, text: str, number: int = 0, until: str = "") -> Entry:
        """Return an entry about the job, with the current time."""
        job = self._job
        return Entry(
            event=event,
            key=job.key,
            at=stamp_now(),
            who=job.role,
            text=text,
            until=until,
            command=job.command,
            number=number,
        )

    async def work(self, number: int, reason: str, choice: int) -> str:
        """Make an attempt."""
        await self._local.ceilings.admit(self._job.key, self._local.ask)
        client = self._clients[choice]
        self._local.mention(self.entry(Event.ATTEMPT, client if len(self._clients) > 1 else "", number))
        token = f"{self._job.key}/{self._local.session}.{number}"
        job, environment = prompts.told_why(self._job, reason), self._local.fenced(self._file, token)
        attempt = self._attempt(job, number, choice, environment)
        if self._is_apart:
            lent = await in_thread(self._lent)
            attempt = evolve(attempt, cwd=lent.folder, environment={**lent.environment, **attempt.environment})
        self._last = attempt
        text = await self._local.attempt(attempt, token, self._file)
        if self._is_apart:
            await in_thread(lambda: self._given(text))
        return text

    def failed(self, number: int, reason: str) -> None:
        """Record that an attempt failed."""
        self.release()
        self._local.mention(self.entry(Event.FAILED, reason, number))

    def paused(self, until: float, reason: str) -> None:
        """Record that the next attempt waits."""
        self._local.mention(self.entry(Event.PAUSED, reason, until=stamp_of(until)))

    def left(self, number: int) -> str | None:
        """Return the output of an attempt that ended after its launcher."""
        text = finished(self._attempt(self._job, number))
        if text is None:
            return None
        said = storable(plain(text))
        if self._is_apart:
            self._given(said)
        return said

    @property
    def _is_apart(self) -> bool:
        """Return True if the agent works in a folder of its own: a page launched it."""
        return not (self._local.workplace.is_shared or self._job.page)

    def _lent(self) -> Lent:
        """Return the agent's folder. Raises CrashError."""
        try:
            return self._local.workplace.lend(self._job.key)
        except RefusedError as error:
            raise CrashError(f"it has no folder to work in: {error}") from None

    def _given(self, text: str) -> None:
        """Take over what the agent has changed, after a valid reply. Raises CrashError, ReplyError."""
        read_reply(self._job, text)
        try:
            self._local.workplace.give(self._job.key)
        except RefusedError as error:
            raise CrashError(f"its changes cannot be taken over: {error}") from None

    def release(self) -> None:
        """Note that the last attempt, if any, has ended, and what it used."""
        local, last, self._last = self._local, self._last, None
        if last is not None and local.ceilings.counts:
            used = used_by(usage_of(last, local.prices.get(last.client, 0)))
            local.ceilings.release(self._job.key, used)
        else:
            local.ceilings.release(self._job.key)

    def _attempt(
        self, job: Job, number: int, choice: int = 0, environment: Mapping[str, str] = MappingProxyType({})
    ) -> Attempt:
        return Attempt(
            job=job,
            number=number,
            folder=self._local.agents,
            environment=environment,
            seconds=self._local.limits.seconds,
            choice=choice,
            client=self._clients[choice],
        )


def title_of(out: str) -> str:
    """Return `script 3/14 Title` of a page; empty if it cannot be read, which the driver reports."""
    header = header_of(out)
    return f"{header.script} {header.step}/{header.total} {header.title}" if header else ""
