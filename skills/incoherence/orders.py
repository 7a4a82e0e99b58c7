"""The commands that the texts name: what records a product, prints a step again, launches agents."""

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
    """A command that changes or reads the state. `{dimension}` and the like stand for what the step was told."""

    def command(context: StepContext) -> Command:
        told = [str(context.step_state[word[1:-1]]) if word.startswith("{") else word for word in words]
        return Command("skills.incoherence.state", ("--state-dir", folder(context), "--role", role, *told))

    return command


def own(*words: str) -> Fact:
    """One of the orchestrator's."""
    return state(AgentRole.ORCHESTRATOR, *words)


def again(step: str) -> Fact:
    """The command that prints a step again."""
    return lambda context: command_of(step, folder(context))


def before(context: StepContext) -> SlotValue:
    """Where the files of each task are kept as they were."""
    return os.path.join(folder(context), "before")


def copies(context: StepContext) -> SlotValue:
    """Where the files of an agent's task are kept as they were."""
    return os.path.join(folder(context), "before", task_of(context).id, "")


def look_at(ids: "Callable[[Run], Iterable[str]]") -> Fact:
    """The command that shows what is on record of one, for the first that the page is about."""

    def command(context: StepContext) -> SlotValue:
        first = next(iter(ids(run_of(context))), None)
        return own("show", first)(context) if first else "there is nothing to show"

    return command


def own_words(context: StepContext) -> SlotValue:
    """The command for an answer that is no option of the question that is asked."""
    waiting = run_of(context).to_ask()
    return own("answer", waiting[0].id, "--words-file", "-")(context) if waiting else "nothing is asked any more"


def blocked(context: StepContext) -> SlotValue:
    """The command by which a task that nobody can do is put on record; it names the first that is open."""
    run = run_of(context)
    waiting = run.tasks_of(Progress.OPEN, run.wave())
    if not waiting:
        return "no task is open any more"
    return own("deliver", waiting[0].id, "--outcome", "blocked", "--said-file", "-")(context)


def agents(step: str, name: str, role: AgentRole, ids: "Callable[[Run], Iterable[str]]") -> Fact:
    """An agent for each id, which is told it by the parameter `name` of the step that it begins with."""

    def roster(context: StepContext) -> "RosterDispatchNode":
        from lib.workflow.ast.dispatch import Agent, RosterDispatchNode  # only the steps that dispatch pay for it
        from lib.workflow.ast.step import Invoke

        told: dict[str, str | int | None] = {"step": STEPS.index(step) + 1, "state_dir": folder(context)}
        return RosterDispatchNode(
            agent=role,
            at_most=MAX_AT_A_TIME,
            returns=RECORDED,
            agents=tuple(
                Agent(id=value, invoke=Invoke(Command(MODULE, flags({**told, name: value}))))
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
