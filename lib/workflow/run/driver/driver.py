"""The orchestrator: reads a step's page and runs the next command. It reads nodes, and leaves decisions to agents.

It uses no clock, file or process of its own, only activities. Repeated with the same results, it takes the same path.
"""

import asyncio
from collections import deque
from collections.abc import Coroutine, Iterable
from typing import Final, Protocol, TypeVar

from attrs import frozen

from ...ast.dispatch import Assignment, RosterDispatchNode, RosterForm, TemplateDispatchNode, assignments
from ...ast.fields import Node
from ...ast.nodes import Document
from ...ast.parse import ParseError, parse
from ...ast.relay import NeedsUserInput
from ...ast.results import Refusal
from ...ast.step import Branch, Complete, CurrentAction, InvokeAfter
from ...ast.visitor import walk
from ...command import Command, CommandError, flag_of
from ...errors import UsageError
from ...handlers.answers import written
from ...handlers.ask_user import chosen
from ...handlers.base import ROSTER_FILE
from ...render.xml import render
from ...types import AgentRole, Outcome
from ...util.output import DONE, WAITING
from ..clients.job import Job, Reply, Want
from . import prompts
from .activities import Activities, AgentError, Place, Printed
from .activities import RunError as RunError
from .ceilings import KEYS
from .jobs import LOST, JobRunner

T = TypeVar("T")
MOST_PAGES: Final = 2_000
"""Maximum pages of one run; a workflow within its own limits is far shorter."""
MOST_REFUSALS: Final = 4
"""Maximum refusals in a row: the driver follows a refusal that names the next command, but not a cycle of them."""
MOST_SAID: Final = 5_000
"""Characters shown from each end of a failed step's output."""
NOTES: Final = 60_000
"""Characters of earlier replies that an orchestrating agent gets."""


class Accepts(Protocol):
    """A check for commands that may run."""

    def accept(self, command: Command) -> Command:
        """Return the command to run. Raises UsageError."""


@frozen(kw_only=True)
class Order:
    """The parameters of a run."""

    start: Command
    request: str = ""
    """The user's request in their own words."""
    max_parallel: int
    """Maximum agents at a time; a dispatch may set a lower limit."""


@frozen(kw_only=True)
class Cursor:
    """The position of a run between two pages; a driver can go on from it."""

    command: Command
    """The next command."""
    given: str = ""
    """Standard input of the next command."""
    pages: int = 0
    """Number of printed pages."""
    refused: int = 0
    """Number of consecutive refusals up to here."""
    notes: tuple[str, ...] = ()
    """Earlier replies, for orchestrating agents."""


class Driver:
    """One run of one workflow, from its first command, or a cursor, to its end."""

    def __init__(self, order: Order, activities: Activities, known: Accepts, at: Cursor | None = None) -> None:
        self.order = order
        self._do = activities
        self._known = known
        self._settler = JobRunner(activities)
        begin = at or Cursor(command=order.start)
        self._page, self._refused = begin.pages, begin.refused
        self._command, self._given = self._accepted(begin.command), begin.given
        self._notes = deque(begin.notes)
        self._noted = sum(map(len, begin.notes))

    @property
    def cursor(self) -> Cursor:
        """Return the current position of the run."""
        return Cursor(
            command=self._command,
            given=self._given,
            pages=self._page,
            refused=self._refused,
            notes=tuple(self._notes),
        )

    async def drive(self) -> str:
        """Run to the end and return the orchestrating agent's last reply. Raises RunError, WaitingError."""
        while True:
            said = await self.turn()
            if said is not None:
                return said

    async def turn(self) -> str | None:
        """Run to the next page; return the last reply at the end, else None. Raises RunError, WaitingError."""
        command = self._command
        if self._page == MOST_PAGES:
            raise RunError(f"the run did not end after {MOST_PAGES:,} pages; the last command was {command}")
        self._page += 1
        printed = await self._do.step(self._key, command, self._given)
        document = self._read(command, printed)
        refusal = next((block for block in document.blocks if isinstance(block, Refusal)), None)
        if refusal is not None:
            self._refused += 1
            self._command, self._given = self._instead(command, refusal, self._refused), ""
            return None
        self._refused = 0
        following = await self._follow(command, document)
        if isinstance(following, str):
            return following
        self._command, self._given = following
        return None

    @property
    def _key(self) -> str:
        """Return the key of the step that printed the page."""
        return f"{self._page}"

    async def _follow(self, command: Command, document: Document) -> tuple[Command, str] | str:
        """Return the next command after a page with its standard input, or the last reply at the end.

        All commands of the page are checked before an agent is launched, so that a page that cannot be followed costs
        none.
        """
        after = document.blocks[-1]
        if not isinstance(after, (Complete, InvokeAfter)):
            raise RunError(f"{command} printed neither a next command nor the end", self._key)
        if isinstance(after, InvokeAfter):
            for invoke in (after.invoke, *(branch.invoke for branch in after.branches)):
                if invoke is not None:
                    self._accepted(invoke.command)
        replies = await self._launch(command, document)
        if isinstance(after, Complete):
            return (await self._think(command, document, replies, ())).text
        asked = next((block for block in document.blocks if isinstance(block, NeedsUserInput)), None)
        if asked is not None:
            if after.invoke is not None:
                said = await self._do.ask(f"{self._page}.{TOGETHER}", asked)
                return self._accepted(after.invoke.command), written({each.header: each.text for each in said.answers})
            return self._accepted(await self._asked(asked, after)), ""
        ways = after.branches or (after.invoke.command,) if after.invoke else after.branches
        if replies:
            way = _by_replies(after, replies)
            if way is not None:
                return self._accepted(way), ""
        reply = await self._think(command, document, replies, after.branches)
        chosen_way = ways[max(reply.way, 1) - 1]
        due = self._accepted(chosen_way.invoke.command if isinstance(chosen_way, Branch) else chosen_way)
        return due, reply.roster

    async def _asked(self, asked: NeedsUserInput, after: InvokeAfter) -> Command:
        """Return the command of the option that the user chooses."""
        key = f"{self._page}.asks"
        said = await self._do.ask(key, asked)
        try:
            return chosen(asked, said, after).invoke.command
        except ValueError as error:
            raise RunError(str(error), key) from None

    async def _think(
        self, command: Command, document: Document, replies: tuple[Reply, ...], ways: tuple[Branch, ...]
    ) -> Reply:
        """Have an orchestrating agent do a step, and choose if there are several ways on."""
        if not any(isinstance(block, CurrentAction) for block in document.blocks):
            return Reply(text="")
        said, notes = tuple(reply.text for reply in replies), tuple(self._notes)
        conditions = [way.when for way in ways]
        form = next((node for node in walk(document) if isinstance(node, RosterForm)), None)
        reply = await self._settler.settled(
            Job(
                key=f"{self._page}.thinks",
                role=AgentRole.ORCHESTRATOR,
                prompt=prompts.orchestrator(document, self.order.request, notes, said, conditions, form is not None),
                command=str(command),
                page=render(document),
                replies=said,
                want=Want.WAY if ways else Want.WORD,
                ways=len(ways),
                listed=_listed(document.blocks[-1]) if form else (),
                least=(form and form.least) or 0,
                most=(form and form.most) or 0,
                characters=(form and form.characters) or 0,
            ),
            command,
            document,
        )
        self._note(reply.text)
        return reply

    async def _launch(self, command: Command, document: Document) -> tuple[Reply, ...]:
        """Run every agent of the page's dispatches, within the limit at a time; return their replies, in order."""
        found = tuple(assignments(document))
        if not found:
            return ()
        after = document.blocks[-1]
        verdict = isinstance(after, InvokeAfter) and {way.outcome for way in after.branches} == {
            Outcome.OK,
            Outcome.FAIL,
        }
        jobs = [self._job(number, one, verdict) for number, one in enumerate(found, 1)]
        free = asyncio.Semaphore(min([self.order.max_parallel, *_at_most(document)]))

        async def work(job: Job) -> Reply | AgentError:
            place = Place(free)
            try:
                await place.take()
                return await self._settler.done(job, place)
            finally:
                place.leave()

        firsts, rounds = await _all(map(work, jobs)), 0
        while len(lost := [(at, one) for at, one in enumerate(firsts) if isinstance(one, AgentError)]) > 1:
            rounds += 1
            again = await self._settler.again(document, [(jobs[at], error) for at, error in lost], rounds)
            for (at, _), job, first in zip(lost, again, await _all(map(work, again)), strict=True):
                jobs[at], firsts[at] = job, first
        settled = self._settler.settled
        results = zip(jobs, firsts, strict=True)
        replies = [await settled(job, command, document, first, rounds) for job, first in results]
        for reply in replies:
            self._note(reply.text)
        return tuple(replies)

    def _job(self, number: int, assignment: Assignment, verdict: bool) -> Job:
        first_prompt = assignment.prompt or ""
        return Job(
            key=f"{self._page}.{number}",
            role=assignment.agent,
            tier=assignment.tier,
            prompt=prompts.sub_agent(assignment, first_prompt),
            told=first_prompt,
            command=str(self._accepted(assignment.command)),
            want=Want.VERDICT if verdict else Want.WORD,
        )

    def _read(self, command: Command, printed: Printed) -> Document:
        """Parse the page. Raises RunError if the output is not a page."""
        where = f"exit status {printed.status} from {command}"
        try:
            document = parse(printed.out)
        except (ParseError, CommandError) as error:
            raise RunError(f"{where}\n{_some(printed.errors) or error}", self._key) from None
        refused = any(isinstance(block, Refusal) for block in document.blocks)
        if printed.status not in (DONE, WAITING) and not refused:
            raise RunError(f"{where}\n{_some(printed.errors) or _some(printed.out)}", self._key)
        if not document.blocks:
            raise RunError(f"{command} printed nothing", self._key)
        return document

    def _instead(self, command: Command, refusal: Refusal, refused: int) -> Command:
        """Return the next command that a refusal names."""
        if refusal.invoke is None or refused > MOST_REFUSALS:
            why = f"{command} is refused: {refusal.code}: {refusal.target}: {refusal.message}\n{refusal.fix}"
            raise RunError(why, self._key)
        return self._accepted(refusal.invoke.command)

    def _accepted(self, command: Command) -> Command:
        try:
            return self._known.accept(command)
        except UsageError as error:
            raise RunError(f"a page names a command that is not allowed: {command}\n{error}", self._key) from None

    def _note(self, text: str) -> None:
        self._notes.append(text[-NOTES:])
        self._noted += len(self._notes[-1])
        while self._noted > NOTES:
            self._noted -= len(self._notes.popleft())


def _listed(after: Node) -> tuple[int, ...]:
    """Return the ways that lead to a step which reads a list of agents, from 1; 0 for the only way."""
    if not isinstance(after, InvokeAfter):
        return ()
    ways = [(0, after.invoke), *((number, way.invoke) for number, way in enumerate(after.branches, 1))]
    return tuple(number for number, invoke in ways if invoke and flag_of(ROSTER_FILE) in invoke.command.words)


TOGETHER: Final = "asked"
"""The last part of the key of several questions of a step, which take own words: one command reads all answers."""


def takes_options_only(key: str) -> bool:
    """Return True if the answers under a key must be options.

    This holds for a step's questions, whose options each have a command, for a lost agent, and for a ceiling.
    """
    last = key.rpartition(".")[2]
    return last == "asks" or key.startswith(KEYS) or last.rstrip("0123456789") == LOST


async def _all(works: Iterable[Coroutine[object, object, T]]) -> list[T]:
    """Run all of them at once and return their results.

    If one fails, the others are cancelled before its error is raised.
    """
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        return await asyncio.gather(*tasks)
    except Exception:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


def _some(text: str) -> str:
    """Return the text, or the beginning and the end of a long one."""
    said = text.strip()
    return said if len(said) <= 2 * MOST_SAID else f"{said[:MOST_SAID]}\n...\n{said[-MOST_SAID:]}"


def _at_most(document: Document) -> list[int]:
    """Return the limits of a page's dispatches for agents at a time."""
    many = (node for node in walk(document) if isinstance(node, (RosterDispatchNode, TemplateDispatchNode)))
    return [node.at_most for node in many if node.at_most is not None]


def _by_replies(after: InvokeAfter, replies: tuple[Reply, ...]) -> Command | None:
    """Return the only command, or the one that verdicts or launched agents decide. None if an agent must decide."""
    if after.invoke is not None:
        return after.invoke.command
    ways = {branch.outcome: branch.invoke.command for branch in after.branches}
    if ways.keys() == {Outcome.OK, Outcome.FAIL}:
        return ways[Outcome.OK if all(reply.passed for reply in replies) else Outcome.FAIL]
    return ways[Outcome.OK] if ways.keys() == {Outcome.OK, Outcome.SKIP} else None
