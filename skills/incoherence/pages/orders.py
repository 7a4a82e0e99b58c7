"""The commands that the texts name: to record a product, to launch agents."""

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeAlias

from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command, flags
from lib.workflow.core import StepContext
from lib.workflow.prompts.slots import SlotValue
from lib.workflow.types import AgentRole

from ..due import MODULE, STEPS
from ..handlers import batches, folder, run_of, task_of
from ..limits import MAX_AT_A_TIME, MAX_PER_DIVER, MAX_PER_SWEEPER
from ..originals import project
from ..standing import Progress

if TYPE_CHECKING:
    from lib.workflow.ast.dispatch import RosterDispatchNode

    from ..record import Run

Fact: TypeAlias = Callable[[StepContext], SlotValue]
CORRECTION: Final = '{"old": "4.5 MB", "new": "4.6 MB"}'
RECORDED: Final = "one line: what was put on record"


def state(role: AgentRole, *words: str) -> Fact:
    """Return a slot with a command on the state. A word such as `{task}` is replaced by the step's parameter."""

    def command(context: StepContext) -> Command:
        values = [str(context.step_state[word[1:-1]]) if word.startswith("{") else word for word in words]
        return Command("skills.incoherence.state", ("--state-dir", folder(context), "--role", role, *values))

    return command


def own(*words: str) -> Fact:
    """Return a slot with a command of the orchestrator."""
    return state(AgentRole.ORCHESTRATOR, *words)


def before(context: StepContext) -> SlotValue:
    """Return the folder with the original files of each task."""
    return os.path.join(folder(context), "before")


def copied(context: StepContext) -> SlotValue:
    """Return where the original files of the tasks are; the order to copy them if the project is not here."""
    to = f"`{before(context)}/`, below the id of each task"
    here = project(run_of(context), folder(context)) is not None
    return f"The originals are in {to}." if here else f"First copy the files to {to}, unless a copy exists."


def copies(context: StepContext) -> SlotValue:
    """Return the folder with the original files of the agent's task."""
    return os.path.join(folder(context), "before", task_of(context).id, "")


def corrects(context: StepContext) -> SlotValue:
    """Return how to correct a recorded line, with the id of the first candidate; empty if it was printed before."""
    run = run_of(context)
    command = own("correct", run.candidates[0].id, "--change-file", "-")(context)
    return "" if run.questions else f"To correct a recorded line, by its id:\n\n    {command}\n\n    {CORRECTION}"


def seen(context: StepContext) -> SlotValue:
    """Return the command that shows the first candidate that the user is asked about."""
    names = [name for each in run_of(context).to_ask() for name in each.candidates]
    return own("show", names[0])(context) if names else "nothing is asked any more"


def changing(context: StepContext) -> SlotValue:
    """Return the ids of the rules that change files."""
    return ", ".join(each.id for each in run_of(context).to_change())


def blocked(context: StepContext) -> SlotValue:
    """Return the command that records a blocked task; it names the first open one."""
    run = run_of(context)
    waiting = run.tasks_of(Progress.OPEN, run.wave())
    if not waiting:
        return "no task is open any more"
    return own("deliver", waiting[0].id, "--outcome", "blocked", "--said-file", "-")(context)


def agents(step: str, name: str, role: AgentRole, ids: "Callable[[Run], Iterable[str]]") -> Fact:
    """Return a slot with a dispatch of one agent for each text of ids, which is its parameter `name`."""

    def roster(context: StepContext) -> "RosterDispatchNode":
        from lib.workflow.ast.dispatch import Agent, RosterDispatchNode  # only the steps that dispatch pay for it

        values: dict[str, str | int | None] = {"step": STEPS.index(step) + 1, "state_dir": folder(context)}
        return RosterDispatchNode(
            agent=role,
            at_most=MAX_AT_A_TIME,
            returns=RECORDED,
            agents=tuple(
                Agent(id=value.partition(",")[0], invoke=Invoke(Command(MODULE, flags({**values, name: value}))))
                for value in ids(run_of(context))
            ),
        )

    return roster


SWEEPERS: Final = agents(
    "sweep", "dimensions", AgentRole.GENERAL_PURPOSE, lambda run: batches(run.open_sweeps(), MAX_PER_SWEEPER)
)
DIVERS: Final = agents(
    "dig", "candidates", AgentRole.GENERAL_PURPOSE, lambda run: batches(run.to_dive(), MAX_PER_DIVER)
)
CHANGERS: Final = agents(
    "apply", "task", AgentRole.DEVELOPER, lambda run: (each.id for each in run.tasks_of(Progress.OPEN, run.wave()))
)
