"""Runs a job to completion: relays questions to the user, and offers to retry lost agents."""

from typing import Final

from attrs import evolve

from ..ast.nodes import Document
from ..ast.relay import NeedsUserInput, Option, Question, UserResponse
from ..ast.step import StepHeader
from ..command import Command
from ..render.xml import render
from ..types import AgentRole
from . import prompts
from .activities import Activities, AgentError, RunError
from .job import Job, Reply

MOST_ASKED: Final = 3
"""Maximum times that one agent may ask the user."""
RETRY: Final = "Try again"
LOST: Final = "lost"
"""Ending, before its number, of the key of a question about a lost agent."""
LOST_HEADER: Final = "Agent lost"
"""The header of the question whether a lost agent is tried again."""


class JobRunner:
    """A runner of jobs until each has a reply without questions."""

    def __init__(self, activities: Activities) -> None:
        self._do = activities

    async def settled(
        self, job: Job, command: Command, document: Document, first: Reply | AgentError | None = None
    ) -> Reply:
        """Return the final reply to a job of a page; `first` is its result so far. Raises RunError, WaitingError.

        If an agent failed for good, or asks too often, the user decides on a retry. Each further agent learns what
        happened to the one before it.
        """
        current, came, round_, asked = job, first, 0, 0
        while True:
            if came is None:
                came = await self.done(current)
            if isinstance(came, Reply) and came.questions is None:
                return came
            round_ += 1
            key = f"{job.key}.again{round_}"
            if isinstance(came, Reply) and asked < MOST_ASKED:
                assert came.questions is not None
                asked += 1
                response = await self._do.ask(f"{job.key}.asks{round_}", came.questions)
                await self._relay(f"{job.key}.relays{round_}", command, document, response)
                more = f"\n\n{render(response)}"
                current = evolve(current, key=key, told=current.told + more, prompt=current.prompt + more)
            else:
                await self._tried_again(f"{job.key}.{LOST}{round_}", job, document, came)
                current, asked = prompts.told_why(evolve(current, key=key), _why(came)), 0
            came = None

    async def _tried_again(self, key: str, job: Job, document: Document, came: Reply | AgentError) -> None:
        """Ask the user to retry or give up a lost agent. Raises RunError if it is given up."""
        response = await self._do.ask(key, _lost(job, document, _why(came)))
        if response.answers[0].text != RETRY:
            raise RunError(f"the {job.role} of {job.key} was given up: {_why(came)}", key)

    async def done(self, job: Job) -> Reply | AgentError:
        """Run a job once and return its result."""
        try:
            return await self._do.agent(job)
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


def _why(came: Reply | AgentError) -> str:
    """Return the reason why an agent is lost."""
    return f"it asked the user {MOST_ASKED} times and asks again" if isinstance(came, Reply) else str(came)


def _lost(job: Job, document: Document, why: str) -> NeedsUserInput:
    """Return the question to the user about a lost agent."""
    return NeedsUserInput(
        (
            Question(
                header=LOST_HEADER,
                text=f"The {job.role} of {_step(document)} ({job.key}) failed: {why}",
                options=(
                    Option(label=RETRY, description="with a fresh agent"),
                    Option(label="Give up", description="end the run and keep its records"),
                ),
            ),
        )
    )


def _step(document: Document) -> str:
    """Return the step of a page, in words for users."""
    found = (block for block in document.blocks if isinstance(block, StepHeader))
    return next((f"step {step.step}, '{step.title}'" for step in found), "the step")
