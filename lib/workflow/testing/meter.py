"""A meter of the texts shown to simulated agents: prompts of launches, pages, and outputs of other commands."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from attrs import Factory, evolve, frozen

from ..ast.nodes import Document, Text
from ..ast.visitor import walk
from ..cli.table.rows import Row, Table
from ..command import Command
from ..types import AgentRole
from ..util.output import DONE
from .costs import Context, Shown, TextKind
from .process import Ran
from .reader import Mind, Page, Reader, Run
from .shown import commands_in

Tables: TypeAlias = Mapping[str, Table[Any]]
"""Command tables by the module that runs their commands."""


class Meter:
    """A `Run` that records what each command prints, for the agent at work.

    Args:
        run: Runs the commands.
        tables: The command tables that pages name.
        normalised: Replaces text that differs between machines, such as names of temporary folders.

    Example:
        meter = Meter(run_here, {})
        MeteredReader(Simple(), meter).read(start)
        print(cost_of(meter.shown))
    """

    def __init__(self, run: Run, tables: Tables, normalised: Callable[[str], str] = str) -> None:
        self.tables = tables
        self.shown: list[Shown] = []
        self._run, self._normalised = run, normalised
        self._launched = 0
        self._at_work = [_Agent(number=0, role=AgentRole.ORCHESTRATOR)]

    def __call__(self, command: Command, given: str = "") -> Ran:
        """Run a command and record its output."""
        ran = self._run(command, given)
        self._print(command, ran)
        return ran

    def look(self, command: Command) -> None:
        """Run a command that only reads, and record its output unless it is refused."""
        ran = self._run(command)
        if ran.status == DONE:
            self._print(command, ran)

    def page(self, page: Page) -> None:
        """Record that the last output is a page."""
        header = page.header
        self.shown[-1] = evolve(
            self.shown[-1], kind=TextKind.PAGE, name=header.script, step=header.step, title=header.title
        )

    @contextmanager
    def agent(self, role: AgentRole, prompt: str) -> Iterator[None]:
        """Put an agent to work for the duration of the `with`.

        A launched agent starts with an empty context. There is one orchestrating agent: it keeps its context, also
        between workflows.
        """
        agent = self._at_work[0]
        if role is not AgentRole.ORCHESTRATOR:
            self._launched += 1
            agent = _Agent(number=self._launched, role=role)
            self._show(agent, TextKind.PROMPT, "", prompt)
        self._at_work.append(agent)
        try:
            yield
        finally:
            self._at_work.pop()

    def _print(self, command: Command, ran: Ran) -> None:
        row = row_of(self.tables, command)
        name = f"{command.module.rpartition('.')[2]} {row.name}" if row else command.module
        self._show(self._at_work[-1], TextKind.REPLY, name, ran.out + ran.errors)

    def _show(self, agent: "_Agent", kind: TextKind, name: str, printed: str) -> None:
        text = self._normalised(printed)
        self.shown.append(
            Shown(
                agent=agent.number,
                role=agent.role,
                kind=kind,
                name=name,
                characters=len(text),
                repeated=agent.context.add(text),
            )
        )


class MeteredReader(Reader):
    """A reader whose agents are measured. Each agent also runs, once, the reading commands that its pages print.

    A page that says "read the plan by this command" costs its reader the plan, although the simulator does not need
    it.
    """

    def __init__(self, mind: Mind, meter: Meter) -> None:
        """Initialize the simulator.

        Args:
            mind: Thinks for all agents; it must run its commands by the same meter.
            meter: Runs the commands.
        """
        super().__init__(mind, meter)
        self._meter = meter
        self._read: list[set[Command]] = []

    def read(self, command: Command, role: AgentRole = AgentRole.ORCHESTRATOR, prompt: str = "") -> str:
        """Follow the pages as one agent."""
        self._read.append(set())
        try:
            with self._meter.agent(role, prompt):
                return super().read(command, role, prompt)
        finally:
            self._read.pop()

    def page(self, command: Command, role: AgentRole, prompt: str, given: str = "") -> Page:
        """Read a page, and run the reading commands that it shows."""
        page = super().page(command, role, prompt, given)
        self._meter.page(page)
        read = self._read[-1]
        for look in looks(page.document, self._meter.tables):
            if look not in read:
                read.add(look)
                self._meter.look(look)
        return page


def looks(document: Document, tables: Tables) -> Iterator[Command]:
    """Yield the commands in the texts of a page that only read."""
    for node in walk(document):
        for command, _ in commands_in(node.value) if isinstance(node, Text) else ():
            row = row_of(tables, command)
            if row and row.store and not row.changes and "--help" not in command.words:
                yield command


def row_of(tables: Tables, command: Command) -> Row[Any] | None:
    """Return the row of a table's command; None for a batch and for any other command."""
    rows = tables[command.module].rows if command.module in tables else {}
    return next((rows[word] for word in command.words if word in rows), None)


@frozen(kw_only=True)
class _Agent:
    number: int
    role: AgentRole
    context: Context = Factory(Context)
