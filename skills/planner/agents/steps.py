"""Builders of the planner's steps: a text, a handler, the transitions, and the resolvers of the text's slots."""

from collections.abc import Callable, Mapping
from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.command import Command, flags
from lib.workflow.core import Arg, Handler, Outcome, Script, State, StepContext, StepDef, Workflow
from lib.workflow.prompts.markdown import Section

from ..phases import PhaseScript, PhaseSpec
from ..state.run_state import state_of
from .slots import SlotResolver, slots_for

StateDir: TypeAlias = Annotated[str, Arg(description="the folder of the run's state files", path=True)]
Going: TypeAlias = tuple[Literal[Outcome.OK], State]
Next: TypeAlias = Mapping[Outcome, str | Script | None]
Milestone: TypeAlias = Annotated[
    str, Arg(description="the milestone to build (default: all of the wave)", samples=("M-001",))
]
PARAMS: Final = ("state_dir",)


def step(
    row: PhaseSpec,
    part: PhaseScript,
    name: str,
    prompt: Section,
    handler: Handler | None,
    next_: Next,
    facts: Mapping[str, SlotResolver],
    limit: int | None = None,
) -> StepDef:
    """Return a step of one of a phase's scripts."""
    return StepDef(
        id=name,
        title=prompt.title,
        actions=(prompt.text,),
        handler=handler,
        next=next_,
        slots=slots_for(prompt.text, row, row.agent(part), facts),
        phase=row.phase,
        limit=limit,
    )


def linear(
    row: PhaseSpec,
    part: PhaseScript,
    prompts: Mapping[str, Section],
    begin: Callable[..., Going],
    facts: Mapping[str, SlotResolver],
    go_on: Callable[..., Going] | None = None,
) -> list[StepDef]:
    """Return one step for each prompt, in their order.

    Args:
        row: Phase of the planner.
        part: Script of the phase.
        prompts: Texts of the steps, by step id.
        begin: Handler of the first step, which takes the script's options.
        facts: Values of slots, besides those of the phase.
        go_on: Handler of the other steps, if they have one.
    """
    following = [*prompts, None][1:]
    return [
        step(row, part, name, prompt, go_on if number else begin, {Outcome.OK: after}, facts)
        for number, ((name, prompt), after) in enumerate(zip(prompts.items(), following, strict=True))
    ]


def workflow(
    row: PhaseSpec,
    part: PhaseScript,
    description: str,
    steps: list[StepDef],
    tags: tuple[str, ...] = (),
    params: tuple[str, ...] = PARAMS,
) -> Workflow:
    """Return the workflow of one of a phase's scripts."""
    module = row.module(part)
    return Workflow(row.name(part), *steps, module=module, description=description, params=params, tags=tags)


def start(row: PhaseSpec, part: PhaseScript, context: StepContext) -> Command:
    """Return the command that starts a script of the phase."""
    return Command(row.module(part), flags({"step": 1, "state_dir": state_of(context).state_dir}))
