"""A job that is seen to its end: its agent may ask the user, or fail for good, and then is launched anew."""

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
"""How often one agent may ask the user."""
RETRY: Final = "Try again"
LOST: Final = "lost"
"""What the key of a question ends with, before its number, that is asked where an agent has failed for good."""


class Settler:
    """Has agents do jobs until each has a reply that asks nothing."""

    def __init__(self, activities: Activities) -> None:
        self._do = activities

    async def settled(
        self, job: Job, command: Command, document: Document, first: Reply | AgentError | None = None
    ) -> Reply:
        """The reply to a job that a page has; `first` is what came of it already. Raises RunError, WaitingError.

        Where an agent has failed for good, the user says whether it is tried again.
        """
        current, came, asked = job, first, 0
        while True:
            if came is None:
                came = await self.done(current)
            if isinstance(came, Reply) and came.questions is None:
                return came
            asked += 1
            if asked > MOST_ASKED:
                raise RunError(f"the {job.role} of {job.key} has asked {MOST_ASKED} times, and has not come to an end")
            questions = _lost(job, document, came) if isinstance(came, AgentError) else came.questions
            assert questions is not None
            lost = isinstance(came, AgentError)
            response = await self._do.ask(f"{job.key}.{LOST if lost else 'asks'}{asked}", questions)
            key = f"{job.key}.again{asked}"
            if isinstance(came, AgentError):
                if response.answers[0].text != RETRY:
                    raise RunError(f"the {job.role} of {job.key} was given up: {came}")
                current = evolve(current, key=key)
            else:
                await self._relay(f"{job.key}.relays{asked}", command, document, response)
                more = f"\n\n{render(response)}"
                current = evolve(current, key=key, told=current.told + more, prompt=current.prompt + more)
            came = None

    async def done(self, job: Job) -> Reply | AgentError:
        """What comes of a job, once."""
        try:
            return await self._do.agent(job)
        except AgentError as error:
            return error

    async def _relay(self, key: str, command: Command, document: Document, response: UserResponse) -> None:
        """Has the orchestrating agent record an answer, where the page says how."""
        relay = Job(
            key=key,
            role=AgentRole.ORCHESTRATOR,
            prompt=prompts.relay(document, response),
            told=render(response),
            page=render(document),
            command=str(command),
        )
        await self.settled(relay, command, document)


def _lost(job: Job, document: Document, error: AgentError) -> NeedsUserInput:
    """What the user is asked when an agent fails for good."""
    return NeedsUserInput(
        (
            Question(
                header="Agent lost",
                text=f"The {job.role} of {_step(document)} ({job.key}) failed in every attempt. The last: {error}",
                options=(
                    Option(label=RETRY, description="with a fresh agent"),
                    Option(label="Give up", description="the run ends, and what is recorded stays"),
                ),
            ),
        )
    )


def _step(document: Document) -> str:
    """The step that a page is of, for whoever does not know keys."""
    found = (block for block in document.blocks if isinstance(block, StepHeader))
    return next((f"step {step.step}, '{step.title}'" for step in found), "the step")
