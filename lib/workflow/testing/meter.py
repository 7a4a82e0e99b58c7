"""A meter of what simulated agents are shown: pages, replies of commands, and how much of it each agent had before."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import Any, Final, TypeAlias

from attrs import Factory, evolve, frozen

from ..ast.nodes import Document, Text
from ..ast.step import StepHeader
from ..ast.visitor import walk
from ..command import Command, CommandError
from ..output import DONE
from ..table.rows import Row, Table
from ..types import AgentRole
from .process import Ran
from .reader import Mind, Page, Reader, Run

Tables: TypeAlias = Mapping[str, Table[Any]]
"""Command tables by the module that runs their commands."""
SHORTEST: Final = 24
"""Characters of a line that can count as repeated: shorter ones are tags, headings and list marks."""
PERCENT: Final = 100
_CODE: Final = re.compile(r"`([^`]+)`")


class Kind(StrEnum):
    """Kinds of text that a command prints."""

    PAGE = "page"
    REPLY = "reply"
    """The print of a command that is no step of a workflow."""


class Context:
    """The text that one agent has been shown. An agent that is launched again starts with an empty one.

    A line counts as repeated if it has at least `SHORTEST` characters, indentation aside, and an earlier text of the
    same context holds exactly that line. The prompt of the launch is such an earlier text. Equal lines within one text
    are not repeated.
    """

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def add(self, text: str) -> int:
        """Show a text.

        Returns:
            How many of its characters are in repeated lines.
        """
        lines = [line.strip() for line in text.split("\n")]
        long = [line for line in lines if len(line) >= SHORTEST]
        repeated = sum(len(line) for line in long if line in self._seen)
        self._seen.update(long)
        return repeated


@frozen(kw_only=True)
class Shown:
    """One print of one command, as an agent got it."""

    agent: int
    """The number of the launch; 0 is the orchestrating agent."""
    role: AgentRole
    kind: Kind
    name: str
    """The script of a page; of another command its table's module and its own name, else its module."""
    step: int = 0
    """Of a page."""
    characters: int
    repeated: int

    @property
    def page(self) -> str:
        """The script and step of a page."""
        return f"{self.name} {self.step}"


@frozen(kw_only=True)
class Sum:
    """What several prints add up to."""

    commands: int
    """Every command that an agent ran, those that print pages included."""
    pages: int
    characters: int
    repeated: int
    """Characters in lines that the same agent was shown before."""
    largest_page: int

    @property
    def percent(self) -> float:
        """The share of repeated text."""
        return PERCENT * self.repeated / max(self.characters, 1)


def sum_of(prints: Iterable[Shown]) -> Sum:
    """Add prints up."""
    found = tuple(prints)
    pages = [each.characters for each in found if each.kind is Kind.PAGE]
    return Sum(
        commands=len(found),
        pages=len(pages),
        characters=sum(each.characters for each in found),
        repeated=sum(each.repeated for each in found),
        largest_page=max(pages, default=0),
    )


class Meter:
    """A `Run` that counts what each command prints, for the agent at work.

    Args:
        run: Runs the commands.
        tables: The command tables that pages name, by module.
        normalised: Replaces what differs between machines in a text, such as the names of temporary folders.

    Example:
        meter = Meter(run_here, {})
        MeteredReader(Simple(), meter).read(start)
        print(sum_of(meter.shown), meter.launched)
    """

    def __init__(self, run: Run, tables: Tables, normalised: Callable[[str], str] = str) -> None:
        self.tables = tables
        self.shown: list[Shown] = []
        self.launched = 0
        """How many agents were launched; the orchestrating agent is the user's own."""
        self._run, self._normalised = run, normalised
        self._orchestrator = _Agent(number=0, role=AgentRole.ORCHESTRATOR)
        self._at_work = [self._orchestrator]

    def __call__(self, command: Command, given: str = "") -> Ran:
        """Run a command and count what it prints."""
        ran = self._run(command, given)
        self._count(command, ran)
        return ran

    def look(self, command: Command) -> None:
        """Run a command that only reads, and count what it prints unless it is refused."""
        ran = self._run(command)
        if ran.status == DONE:
            self._count(command, ran)

    def _count(self, command: Command, ran: Ran) -> None:
        text, agent = self._normalised(ran.out + ran.errors), self._at_work[-1]
        self.shown.append(
            Shown(
                agent=agent.number,
                role=agent.role,
                kind=Kind.REPLY,
                name=self._name(command),
                characters=len(text),
                repeated=agent.context.add(text),
            )
        )

    def _name(self, command: Command) -> str:
        row = row_of(self.tables, command)
        return f"{command.module.rpartition('.')[2]} {row.name}" if row else command.module

    def is_page(self, header: StepHeader) -> None:
        """Say that the last print was a page."""
        self.shown[-1] = evolve(self.shown[-1], kind=Kind.PAGE, name=header.script, step=header.step)

    @contextmanager
    def agent(self, role: AgentRole, prompt: str) -> Iterator[None]:
        """Put an agent to work for as long as the `with` lasts.

        A launched agent starts with an empty context. The orchestrating agent keeps its context, also from one
        workflow to the next.
        """
        agent = self._orchestrator
        if role is not AgentRole.ORCHESTRATOR:
            self.launched += 1
            agent = _Agent(number=self.launched, role=role)
            agent.context.add(self._normalised(prompt))
        self._at_work.append(agent)
        try:
            yield
        finally:
            self._at_work.pop()


class MeteredReader(Reader):
    """A reader whose agents are metered. Each agent also runs, once, the reading commands that its pages print.

    A page that says "read the plan by this command" costs its reader the plan, although the simulated mind does not
    need it.
    """

    def __init__(self, mind: Mind, meter: Meter) -> None:
        """Args:
        mind: Thinks for all agents; it must run its commands by the same meter.
        meter: Runs and counts the commands.
        """
        super().__init__(mind, meter)
        self._meter = meter
        self._read: list[set[Command]] = []

    def read(self, command: Command, role: AgentRole = AgentRole.ORCHESTRATOR, prompt: str = "") -> str:
        """Follow the prints as one agent."""
        self._read.append(set())
        try:
            with self._meter.agent(role, prompt):
                return super().read(command, role, prompt)
        finally:
            self._read.pop()

    def page(self, command: Command, role: AgentRole, prompt: str, given: str = "") -> Page:
        """Read a page, and what it says is to be read."""
        page = super().page(command, role, prompt, given)
        self._meter.is_page(page.header)
        read = self._read[-1]
        for look in looks(page.document, self._meter.tables):
            if look not in read:
                read.add(look)
                self._meter.look(look)
        return page


def looks(document: Document, tables: Tables) -> Iterator[Command]:
    """The commands in the texts of a page that only read, as a line of its own or in backticks."""
    for node in walk(document):
        for line in node.value.split("\n") if isinstance(node, Text) else ():
            for code in (*_CODE.findall(line), line.strip()):
                command = _command(code)
                row = row_of(tables, command) if command else None
                if command and row and row.store and not row.changes and "--help" not in command.words:
                    yield command


def _command(code: str) -> Command | None:
    try:
        return Command.read(code) if " -m " in code else None
    except CommandError:
        return None


def row_of(tables: Tables, command: Command) -> Row[Any] | None:
    """The row of a table's command; None for a batch and for any other command."""
    rows = tables[command.module].rows if command.module in tables else {}
    return next((rows[word] for word in command.words if word in rows), None)


@frozen(kw_only=True)
class _Agent:
    number: int
    role: AgentRole
    context: Context = Factory(Context)
