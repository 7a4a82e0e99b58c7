"""The commands that the texts name: to record a product, print a step again, launch agents."""

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeAlias

from lib.workflow.command import Command, flags
from lib.workflow.core import StepContext
from lib.workflow.prompts.slots import SlotValue
from lib.workflow.types import AgentRole

from .due import MODULE, STEPS, command_of
from .handlers import folder, run_of, task_of
from .limits import MAX_AT_A_TIME
from .standing import Progress

if TYPE_CHECKING:
    from lib.workflow.ast.dispatch import RosterDispatchNode

    from .record import Run

Fact: TypeAlias = Callable[[StepContext], SlotValue]
RECORDED: Final = "one line: what was put on record"


def state(role: AgentRole, *words: str) -> Fact:
    """Return a slot with a command on the state. A word such as `{dimension}` is replaced by the step's parameter."""

    def command(context: StepContext) -> Command:
        values = [str(context.step_state[word[1:-1]]) if word.startswith("{") else word for word in words]
        return Command("skills.incoherence.state", ("--state-dir", folder(context), "--role", role, *values))

    return command


def own(*words: str) -> Fact:
    """Return a slot with a command of the orchestrator."""
    return state(AgentRole.ORCHESTRATOR, *words)


def again(step: str) -> Fact:
    """Return a slot with the command that prints a step again."""
    return lambda context: command_of(step, folder(context))


def before(context: StepContext) -> SlotValue:
    """Return the folder with the original files of each task."""
    return os.path.join(folder(context), "before")


def copies(context: StepContext) -> SlotValue:
    """Return the folder with the original files of the agent's task."""
    return os.path.join(folder(context), "before", task_of(context).id, "")


def look_at(why: str, ids: "Callable[[Run], Iterable[str]]") -> Fact:
    """Return a slot with a sentence and the command that shows the first of these entries; empty without entries."""

    def command(context: StepContext) -> SlotValue:
        first = next(iter(ids(run_of(context))), None)
        return f"{why}\n\n    {own('show', first)(context)}" if first else ""

    return command


def own_words(context: StepContext) -> SlotValue:
    """Return the command for an answer that is not an option of the current question."""
    waiting = run_of(context).to_ask()
    return own("answer", waiting[0].id, "--words-file", "-")(context) if waiting else "nothing is asked any more"


def blocked(context: StepContext) -> SlotValue:
    """Return the command that records a blocked task; it names the first open one."""
    run = run_of(context)
    waiting = run.tasks_of(Progress.OPEN, run.wave())
    if not waiting:
        return "no task is open any more"
    return own("deliver", waiting[0].id, "--outcome", "blocked", "--said-file", "-")(context)


def agents(step: str, name: str, role: AgentRole, ids: "Callable[[Run], Iterable[str]]") -> Fact:
    """Return a slot with a dispatch of one agent per id, passed as the parameter `name` of the agent's first step."""

    def roster(context: StepContext) -> "RosterDispatchNode":
        from lib.workflow.ast.dispatch import Agent, RosterDispatchNode  # only the steps that dispatch pay for it
        from lib.workflow.ast.step import Invoke

        values: dict[str, str | int | None] = {"step": STEPS.index(step) + 1, "state_dir": folder(context)}
        return RosterDispatchNode(
            agent=role,
            at_most=MAX_AT_A_TIME,
            returns=RECORDED,
            agents=tuple(
                Agent(id=value, invoke=Invoke(Command(MODULE, flags({**values, name: value}))))
                for value in ids(run_of(context))
            ),
        )

    return roster


SWEEPERS: Final = agents(
    "sweep", "dimension", AgentRole.GENERAL_PURPOSE, lambda run: (each.dimension for each in run.open_sweeps())
)
DIVERS: Final = agents("dig", "candidate", AgentRole.GENERAL_PURPOSE, lambda run: (each.id for each in run.to_dive()))
CHANGERS: Final = agents(
    "apply", "task", AgentRole.DEVELOPER, lambda run: (each.id for each in run.tasks_of(Progress.OPEN, run.wave()))
)
