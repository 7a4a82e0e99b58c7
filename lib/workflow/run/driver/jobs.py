"""Runs a job to completion: relays questions to the user, and offers to retry lost agents."""

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from ...ast.nodes import Document
from ...ast.relay import NeedsUserInput, Option, Question, UserResponse
from ...ast.step import StepHeader
from ...command import Command
from ...render.xml import render
from ...types import AgentRole
from ..clients.job import Job, Reply
from . import prompts
from .activities import Activities, AgentError, Place, RunError

MOST_ASKED: Final = 3
"""Maximum times that one agent may ask the user."""
RETRY: Final = "Try again"
MOST_SHOWN: Final = 3
"""Maximum lost agents that one question describes."""
LOST: Final = "lost"
"""Ending, before its number, of the key of a question about a lost agent."""
LOST_HEADER: Final = "Agent lost"
"""The header of the question whether a lost agent is tried again."""


class JobRunner:
    """A runner of jobs until each has a reply without questions."""

    def __init__(self, activities: Activities) -> None:
        self._do = activities

    async def settled(
        self, job: Job, command: Command, document: Document, first: Reply | AgentError | None = None, rounds: int = 0
    ) -> Reply:
        """Return the final reply to a job of a page.

        If an agent failed for good, or asks too often, the user decides on a retry. Each further agent learns what
        happened to the one before it.

        Args:
            job: The job.
            command: The command that printed the page.
            document: The page.
            first: The result of the job so far.
            rounds: Number of its agents after the first one so far.

        Raises:
            RunError, WaitingError: As the activities do, and if an agent is given up.
        """
        current, came, round_, asked = job, first, rounds, 0
        name = first_key(job.key)
        while True:
            if came is None:
                came = await self.done(current)
            if isinstance(came, Reply) and came.questions is None:
                return came
            round_ += 1
            key = f"{name}.again{round_}"
            if isinstance(came, Reply) and asked < MOST_ASKED:
                assert came.questions is not None
                asked += 1
                response = await self._do.ask(f"{name}.asks{round_}", came.questions)
                await self._relay(f"{name}.relays{round_}", command, document, response)
                more = f"\n\n{render(response)}"
                current = evolve(current, key=key, told=current.told + more, prompt=current.prompt + more)
            else:
                await self._tried_again(f"{name}.{LOST}{round_}", document, [(job, _why(came))])
                current, asked = prompts.told_why(evolve(current, key=key), _why(came)), 0
            came = None

    async def again(self, document: Document, lost: Sequence[tuple[Job, AgentError]], round_: int) -> tuple[Job, ...]:
        """Ask the user once about several lost agents of a page, and return their jobs for fresh agents.

        One condition of a client, such as a missing login, stops all of its agents. Raises RunError if they are given
        up, WaitingError.
        """
        whys = [(job, str(error)) for job, error in lost]
        await self._tried_again(f"{first_key(lost[0][0].key)}.{LOST}{round_}", document, whys)
        names = [f"{first_key(job.key)}.again{round_}" for job, _ in whys]
        return tuple(prompts.told_why(evolve(job, key=name), why) for name, (job, why) in zip(names, whys, strict=True))

    async def _tried_again(self, key: str, document: Document, lost: Sequence[tuple[Job, str]]) -> None:
        """Ask the user to retry or give up lost agents. Raises RunError if they are given up."""
        response = await self._do.ask(key, _lost(document, lost))
        if response.answers[0].text != RETRY:
            raise RunError("\n".join(f"the {job.role} of {job.key} was given up: {why}" for job, why in lost), key)

    async def done(self, job: Job, place: Place | None = None) -> Reply | AgentError:
        """Run a job once and return its result."""
        try:
            return await self._do.agent(job, place or Place())
        except AgentError as error:
            return error

    async def _relay(self, key: str, command: Command, document: Document, response: UserResponse) -> None:
        """Have the orchestrating agent record an answer, as the page says."""
        relay = Job(
            key=key,
            role=AgentRole.ORCHESTRATOR,
            prompt=prompts.relay(document, response),
            told=render(response),
            page=render(document),
            command=str(command),
        )
        await self.settled(relay, command, document)


def first_key(key: str) -> str:
    """Return the key of a job's first agent, for that of a further one."""
    return key.partition(".again")[0]


def _why(came: Reply | AgentError) -> str:
    """Return the reason why an agent is lost."""
    return f"it asked the user {MOST_ASKED} times and asks again" if isinstance(came, Reply) else str(came)


def _lost(document: Document, lost: Sequence[tuple[Job, str]]) -> NeedsUserInput:
    """Return the question to the user about lost agents."""
    shown = [f"The {job.role} of {_step(document)} ({job.key}) failed: {why}" for job, why in lost[:MOST_SHOWN]]
    more = [f"{len(lost) - MOST_SHOWN} more agents failed"] if len(lost) > MOST_SHOWN else []
    retry = "with a fresh agent" if len(lost) == 1 else f"with {len(lost)} fresh agents"
    options = (
        Option(label=RETRY, description=retry),
        Option(label="Give up", description="end the run and keep its records"),
    )
    return NeedsUserInput((Question(header=LOST_HEADER, text="\n".join((*shown, *more)), options=options),))


def _step(document: Document) -> str:
    """Return the step of a page, in words for users."""
    found = (block for block in document.blocks if isinstance(block, StepHeader))
    return next((f"step {step.step}, '{step.title}'" for step in found), "the step")
