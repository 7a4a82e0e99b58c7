"""Parameters of a run, and their results: its sample, its explorers, the commands that repeat it."""

from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from lib.workflow.command import Command, flags
from lib.workflow.command.quoting import Slot
from lib.workflow.core import Arg, StepContext
from lib.workflow.types import AgentRole, Tier

if TYPE_CHECKING:
    from lib.workflow.ast.dispatch import RosterDispatchNode

MODULE: Final = "skills.refactor.refactor"
EXPLORERS: Final = 8
FEW: Final = 4
"""Explorers of a small scope."""
MAX_EXPLORERS: Final = 12
AT_MOST: Final = 4
"""Most explorers at a time."""
SEED: Final = 1
MAX_SEED: Final = 999_999
RETURNS: Final = "a FINDINGS block alone"

Count: TypeAlias = Annotated[
    int,
    Arg(
        description="how many categories are explored, an agent each",
        min=1,
        max=MAX_EXPLORERS,
        samples=(EXPLORERS, MAX_EXPLORERS),
    ),
]
Seed: TypeAlias = Annotated[
    int, Arg(description="draws the categories; the same seed draws the same", min=0, max=MAX_SEED, samples=(SEED,))
]


def sampled(context: StepContext) -> tuple[str, ...]:
    """Return the categories of the run."""
    from .sample import sample  # only the steps that name them pay for it

    return sample(_number(context, "n"), _number(context, "seed"))


def listed(context: StepContext) -> str:
    """Return the sample with its groups, as a block."""
    from .sample import described

    return described(_number(context, "n"), _number(context, "seed"))


def explorers(context: StepContext) -> "RosterDispatchNode":
    """Return a dispatch of one explorer for each category of the sample, in the run's mode and scope."""
    from lib.workflow import CommandTemplate, InvokeTemplate, Target, Template, TemplateDispatchNode

    values = {name: context.step_state[name] for name in ("mode", "scope")}
    words: tuple[str | Slot, ...] = ("--step", "1", "--category", Slot("GROUP_ID"), *flags(values))
    return TemplateDispatchNode(
        agent=AgentRole.EXPLORE,
        tier=Tier.STANDARD,
        at_most=AT_MOST,
        targets=tuple(Target(id=name) for name in sampled(context)),
        template=Template(invoke=InvokeTemplate(CommandTemplate("skills.refactor.explore", words))),
        returns=RETURNS,
    ).roster()


def again(context: StepContext) -> Command:
    """Return the command that repeats the run."""
    return Command(MODULE, flags({"step": 1, **context.step_state}))


def another(context: StepContext) -> Command:
    """Return the command of a run with another sample."""
    seed = (_number(context, "seed") + 1) % (MAX_SEED + 1)
    return Command(MODULE, flags({"step": 1, **context.step_state, "seed": seed}))


def _number(context: StepContext, name: str) -> int:
    value = context.step_state[name]
    assert isinstance(value, int)
    return value
