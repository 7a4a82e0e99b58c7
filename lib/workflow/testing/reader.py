"""A scripted reader: an agent that does only what the prints say. What it thinks is told by a `Mind`."""

from collections.abc import Iterator
from random import Random
from typing import Final, Protocol

from attrs import field, frozen

from ..ast.dispatch import RosterForm, assignments
from ..ast.extract import extract
from ..ast.nodes import Document
from ..ast.parse import ParseError, parse
from ..ast.relay import NeedsUserInput, UserResponse
from ..ast.results import Refusal
from ..ast.step import Branch, InvokeAfter, StepHeader
from ..ast.visitor import walk
from ..command import Command, flag_of
from ..handlers.ask_user import chosen, questions_in
from ..handlers.base import ROSTER_FILE
from ..render.xml import render
from ..types import AgentRole, Outcome
from ..util.output import DONE, REFUSED, WAITING
from .process import Ran

MOST: Final = 500
"""Pages that one agent reads; a workflow within its limits is far shorter."""


HALF: Final = 0.5


class ReaderError(RuntimeError):
    """A print that does not say what to do, or a command that does not run."""


class TurnedAwayError(ReaderError):
    """A command that was refused."""

    def __init__(self, message: str, refusal: Refusal) -> None:
        super().__init__(message)
        self.refusal = refusal


class Run(Protocol):
    """Runs a printed command as it stands."""

    def __call__(self, command: Command, given: str = "") -> Ran:
        """What came of it; `given` stands on its standard input."""


@frozen
class Page:
    """What an agent has before it."""

    command: Command
    document: Document
    role: AgentRole
    prompt: str
    """What the agent was told when it was launched."""
    run: Run = field(repr=False)

    @property
    def header(self) -> StepHeader:
        """Which step of which script this is."""
        return next(block for block in self.document.blocks if isinstance(block, StepHeader))


def option(command: Command, flag: str) -> str:
    """What a command says behind a flag."""
    return command.words[command.words.index(flag) + 1]


class Mind(Protocol):
    """What an agent thinks. It may run the commands that a page names, and nothing else."""

    def work(self, page: Page) -> None:
        """Does what the page says."""

    def decide(self, page: Page, ways: tuple[Outcome, ...], replies: tuple[str, ...]) -> Outcome:
        """Which of the conditions holds. `replies` are those of the agents that the page launched."""

    def tasks(self, page: Page, form: RosterForm) -> str:
        """The list of agents that the next command reads."""

    def stops(self, page: Page) -> bool:
        """Return whether the agent replies now, without the pages that follow: it has a question."""

    def reply(self, page: Page) -> str:
        """What the agent says at the end."""

    def answer(self, questions: NeedsUserInput) -> UserResponse:
        """What the user answers to a step, or to an agent that asks."""

    def relay(self, page: Page, response: UserResponse) -> None:
        """Does what the page says about an answer to an agent that it launched."""


class Reader:
    """An orchestrating agent, and the agents that it launches. `visited` is every page that any of them read."""

    def __init__(self, mind: Mind, run: Run) -> None:
        self.mind = mind
        self.run = run
        self.visited: list[Page] = []

    def read(self, command: Command, role: AgentRole = AgentRole.ORCHESTRATOR, prompt: str = "") -> str:
        """Follows the prints from a command to the end; the reply. Raises ReaderError where they cannot be followed."""
        given = ""
        for _ in range(MOST):
            page = self.page(command, role, prompt, given)
            self.mind.work(page)
            if role is not AgentRole.ORCHESTRATOR and self.mind.stops(page):
                return self.mind.reply(page)
            due = self.due(page, tuple(self._launch(page)))
            if due is None:
                return self.mind.reply(page)
            command, given = due, self._given(page, due)
        raise ReaderError(f"no end after {MOST} pages of {command}")

    def page(self, command: Command, role: AgentRole, prompt: str, given: str = "") -> Page:
        """What the command prints, read back; `given` stands on its standard input."""
        ran = self.run(command, given)
        refusal = _refusal(ran.out) if ran.status == REFUSED else None
        if refusal is not None:
            raise TurnedAwayError(f"{command} is refused\n{ran.out}", refusal)
        if ran.status not in (DONE, WAITING):
            raise ReaderError(f"exit status {ran.status} from {command}\n{ran.out}{ran.errors}")
        try:
            page = Page(command, parse(ran.out), role, prompt, self.run)
        except ParseError as error:
            raise ReaderError(f"the print of {command} cannot be read: {error}") from None
        self.visited.append(page)
        return page

    def due(self, page: Page, replies: tuple[str, ...]) -> Command | None:
        """The command that is due when the page's work is done; None at the end."""
        after = page.document.blocks[-1]
        if not isinstance(after, InvokeAfter):
            return None
        if after.invoke is not None:
            return after.invoke.command
        asked = next((block for block in page.document.blocks if isinstance(block, NeedsUserInput)), None)
        if asked is not None:
            return chosen(asked, self.mind.answer(asked), after).invoke.command
        outcome = self.mind.decide(page, _outcomes(after), replies)
        return _branch(after, outcome).invoke.command

    def _given(self, page: Page, due: Command) -> str:
        """What the command that is due reads: a list, where the page asked for one and the command takes it."""
        forms = [node for node in walk(page.document) if isinstance(node, RosterForm)]
        return self.mind.tasks(page, forms[0]) if forms and flag_of(ROSTER_FILE) in due.words else ""

    def _launch(self, page: Page) -> Iterator[str]:
        for assignment in assignments(page.document):
            if page.role is not AgentRole.ORCHESTRATOR:
                raise ReaderError(f"{page.command} tells a sub-agent to launch another")
            prompt = assignment.prompt or ""
            reply = self.read(assignment.command, assignment.agent, prompt)
            while (questions := questions_in(reply)) is not None:
                response = self.mind.answer(questions)
                self.mind.relay(page, response)
                prompt = f"{prompt}\n\n{render(response)}"
                reply = self.read(assignment.command, assignment.agent, prompt)
            yield reply


def _refusal(out: str) -> Refusal | None:
    """The refusal that a print is, if it is one."""
    try:
        return extract(out, Refusal)
    except ParseError:
        return None


def _outcomes(after: InvokeAfter) -> tuple[Outcome, ...]:
    return tuple(branch.outcome for branch in after.branches if branch.outcome is not None)


def _branch(after: InvokeAfter, outcome: Outcome) -> Branch:
    for branch in after.branches:
        if branch.outcome is outcome:
            return branch
    raise ReaderError(f"no branch for {outcome}; there are {', '.join(_outcomes(after))}")


class Simple:
    """A mind without opinions: it goes so many rounds of every loop, believes verdicts, and passes what it reviews."""

    def __init__(self, rounds: int = 1, seed: int = 0, fails: bool = False) -> None:
        self.rounds = rounds
        self.fails = fails
        self.random = Random(seed)  # noqa: S311 - a choice of ways, no secret
        self._gone: dict[tuple[str, int], int] = {}

    def work(self, page: Page) -> None:
        """Nothing: a page without commands needs no more for the next one."""

    def decide(self, page: Page, ways: tuple[Outcome, ...], replies: tuple[str, ...]) -> Outcome:
        """Back while there are rounds to go; by the replies where there are any; else any way on."""
        key = (page.header.script, page.header.step)
        if Outcome.ITERATE in ways:
            self._gone[key] = self._gone.get(key, 0) + 1
            return Outcome.ITERATE if self._gone[key] <= self.rounds else _other(ways)
        if replies and {Outcome.OK, Outcome.FAIL} <= set(ways):
            return Outcome.OK if all(reply == "PASS" for reply in replies) else Outcome.FAIL
        return self.random.choice(ways)

    def tasks(self, page: Page, form: RosterForm) -> str:
        """The sample of the form."""
        return form.sample

    def stops(self, page: Page) -> bool:
        """False: an agent without questions reads on."""
        return False

    def reply(self, page: Page) -> str:
        """The verdict of an agent that found nothing; one that fails has found something every other time."""
        return "FAIL: not yet" if self.fails and self.random.random() < HALF else "PASS"

    def answer(self, questions: NeedsUserInput) -> UserResponse:
        """The first option of each question."""
        from ..handlers.ask_user import answered

        return answered(questions, {item.header: item.options[0].label for item in questions.questions})

    def relay(self, page: Page, response: UserResponse) -> None:
        """Nothing: what the agent is told, it is told by its prompt."""


def _other(ways: tuple[Outcome, ...]) -> Outcome:
    return next(way for way in ways if way is not Outcome.ITERATE)
