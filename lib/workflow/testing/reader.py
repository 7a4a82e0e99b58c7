"""A scripted reader: an agent that only follows the pages. A `Mind` makes its decisions."""

from collections.abc import Iterator
from random import Random
from typing import Final, Protocol

from attrs import field, frozen

from ..ast.dispatch import RosterForm, assignments
from ..ast.nodes import Document
from ..ast.parse import ParseError, parse
from ..ast.parse.extract import extract
from ..ast.relay import NeedsUserInput, UserResponse
from ..ast.results import Refusal
from ..ast.step import Branch, InvokeAfter, StepHeader
from ..ast.visitor import walk
from ..command import Command, flag_of
from ..handlers.answers import written
from ..handlers.ask_user import answered, chosen, questions_in
from ..handlers.base import ANSWERS_FILE, ROSTER_FILE
from ..render.xml import render
from ..types import AgentRole, Outcome
from ..util.output import DONE, REFUSED, WAITING
from .process import Ran

ROUND: Final = "--iteration"
"""The flag of a loop's number of the round."""
MOST: Final = 500
"""Maximum pages that one agent reads; a workflow within its limits is far shorter."""


HALF: Final = 0.5


class ReaderError(RuntimeError):
    """Raised for a page that does not say what to do, or a command that does not run."""


class TurnedAwayError(ReaderError):
    """Raised for a refused command."""

    def __init__(self, message: str, refusal: Refusal) -> None:
        super().__init__(message)
        self.refusal = refusal


class Run(Protocol):
    """A function that runs a printed command unchanged."""

    def __call__(self, command: Command, given: str = "") -> Ran:
        """Run the command with `given` on its standard input."""


@frozen
class Page:
    """A page as its agent sees it."""

    command: Command
    document: Document
    role: AgentRole
    prompt: str
    """The agent's prompt."""
    run: Run = field(repr=False)

    @property
    def header(self) -> StepHeader:
        """Return the header: script, phase and number of the step."""
        return next(block for block in self.document.blocks if isinstance(block, StepHeader))


def option(command: Command, flag: str) -> str:
    """Return the value of a flag in a command."""
    return command.words[command.words.index(flag) + 1]


class Mind(Protocol):
    """The decisions of an agent. It may run the commands that a page names, and nothing else."""

    def work(self, page: Page) -> None:
        """Do the work of the page."""

    def decide(self, page: Page, ways: tuple[Outcome, ...], replies: tuple[str, ...]) -> Outcome:
        """Return the outcome whose condition holds.

        Args:
            page: The page that asks.
            ways: Outcomes to choose from.
            replies: Replies of the agents that the page launched, in order.
        """

    def tasks(self, page: Page, form: RosterForm) -> str:
        """Return the list of agents that the next command reads.

        Args:
            page: The page that asks for the list.
            form: Its format, limits and sample.
        """

    def stops(self, page: Page) -> bool:
        """Return True if the agent replies now with a question, without reading further pages."""

    def reply(self, page: Page) -> str:
        """Return the agent's final reply."""

    def answer(self, questions: NeedsUserInput) -> UserResponse:
        """Return the user's answer to a step or an agent that asks."""

    def relay(self, page: Page, response: UserResponse) -> None:
        """Do what the page says about an answer to an agent that it launched.

        Args:
            page: The page that launched the agent.
            response: The user's answers.
        """


class Reader:
    """An orchestrating agent, and the agents that it launches. `visited` holds every page that any of them read."""

    def __init__(self, mind: Mind, run: Run) -> None:
        self.mind = mind
        self.run = run
        self.visited: list[Page] = []

    def read(self, command: Command, role: AgentRole = AgentRole.ORCHESTRATOR, prompt: str = "") -> str:
        """Follow the pages from a command to the end and return the reply.

        Args:
            command: First command of the agent.
            role: Role of the agent.
            prompt: Prompt of the agent; empty for the first one.

        Raises:
            ReaderError: If a page cannot be read, a command fails, or the end does not come.
        """
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
        raise ReaderError(f"the run did not end after {MOST} pages; the last command was {command}")

    def page(self, command: Command, role: AgentRole, prompt: str, given: str = "") -> Page:
        """Run a command and parse its page.

        Args:
            command: The command.
            role: Role of the agent that runs it.
            prompt: Prompt of that agent.
            given: Text for standard input.

        Raises:
            TurnedAwayError: If the command was refused.
            ReaderError: If it failed, or its page cannot be read.
        """
        ran = self.run(command, given)
        refusal = _refusal(ran.out) if ran.status == REFUSED else None
        if refusal is not None:
            raise TurnedAwayError(f"{command} was refused\n{ran.out}", refusal)
        if ran.status not in (DONE, WAITING):
            raise ReaderError(f"exit status {ran.status} from {command}\n{ran.out}{ran.errors}")
        try:
            page = Page(command, parse(ran.out), role, prompt, self.run)
        except ParseError as error:
            raise ReaderError(f"the page of {command} cannot be read: {error}") from None
        self.visited.append(page)
        return page

    def due(self, page: Page, replies: tuple[str, ...]) -> Command | None:
        """Return the next command after the page's work; None at the end.

        Args:
            page: The page.
            replies: Replies of the agents that it launched, in order.
        """
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
        """Return the input of the next command: answers or a list, if the page asked and the command takes it."""
        asked = next((block for block in page.document.blocks if isinstance(block, NeedsUserInput)), None)
        if asked is not None and flag_of(ANSWERS_FILE) in due.words:
            return written({each.header: each.text for each in self.mind.answer(asked).answers})
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
    """Return the refusal in an output, if it is one."""
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
    raise ReaderError(f"no branch for {outcome}; branches: {', '.join(_outcomes(after))}")


class Simple:
    """A simple policy: it runs `rounds` rounds of every loop, believes verdicts, and passes its reviews."""

    def __init__(self, rounds: int = 1, seed: int = 0, fails: bool = False) -> None:
        self.rounds = rounds
        self.fails = fails
        self.random = Random(seed)  # noqa: S311 - a choice of ways, not a secret
        self._gone: dict[tuple[str, int], int] = {}

    def work(self, page: Page) -> None:
        """Do nothing: the next step needs only the page's commands."""

    def decide(self, page: Page, ways: tuple[Outcome, ...], replies: tuple[str, ...]) -> Outcome:
        """Return ITERATE while rounds remain; decide by the replies if there are any; else return any outcome."""
        if Outcome.ITERATE in ways:
            return Outcome.ITERATE if self._round(page) <= self.rounds else _other(ways)
        if replies and {Outcome.OK, Outcome.FAIL} <= set(ways):
            return Outcome.OK if all(reply == "PASS" for reply in replies) else Outcome.FAIL
        return self.random.choice(ways)

    def _round(self, page: Page) -> int:
        """Return the round that the page's command names, because a new process remembers none; else count."""
        if ROUND in page.command.words:
            return int(option(page.command, ROUND))
        key = (page.header.script, page.header.step)
        self._gone[key] = self._gone.get(key, 0) + 1
        return self._gone[key]

    def tasks(self, page: Page, form: RosterForm) -> str:
        """Return the sample of the form."""
        return form.sample

    def stops(self, page: Page) -> bool:
        """Return False: this agent never has a question."""
        return False

    def reply(self, page: Page) -> str:
        """Return the verdict of an agent without findings; with `fails`, FAIL half of the time."""
        return "FAIL: not yet" if self.fails and self.random.random() < HALF else "PASS"

    def answer(self, questions: NeedsUserInput) -> UserResponse:
        """Return the first option of each question."""
        return answered(questions, {item.header: item.options[0].label for item in questions.questions})

    def relay(self, page: Page, response: UserResponse) -> None:
        """Do nothing: the agent's prompt carries the answer."""


class Thorough(Simple):
    """A policy for a skill without its own: one round of each loop, then the way that skips nothing."""

    def decide(self, page: Page, ways: tuple[Outcome, ...], replies: tuple[str, ...]) -> Outcome:
        """Choose by the rounds and the replies as `Simple` does, else OK, else the first way."""
        chosen = super().decide(page, ways, replies)
        if chosen is Outcome.ITERATE or (replies and {Outcome.OK, Outcome.FAIL} <= set(ways)):
            return chosen
        return Outcome.OK if Outcome.OK in ways else ways[0]


def _other(ways: tuple[Outcome, ...]) -> Outcome:
    return next(way for way in ways if way is not Outcome.ITERATE)
