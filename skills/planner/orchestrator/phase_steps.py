"""Steps of a phase before its gate: the work, the division of the review into items, their verification."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from attrs import evolve

from lib.workflow.core import Handler, Outcome, State, StepContext, StepDef
from lib.workflow.core.step import Announcement, Target
from lib.workflow.prompts.markdown import Section
from lib.workflow.types import AgentRole

from ..agents.slots import slots_for
from ..agents.steps import Going, Next, StateDir
from ..execution.approval import check_approved, check_valid
from ..limits import MAX_GRANTS, MAX_ROUNDS
from ..next_step import WAVE_NEXT, WAVE_STEPS, Block, due, out_of_order, step_id
from ..phases import EXECUTING, IMPL_CODE, PhaseSpec
from ..schema.run import Run
from ..state.files import change_run
from ..state.run_state import RunState, state_of
from ..texts import for_phase
from .slots import FACTS

TEXTS: Final = "orchestrator"
MAX_VISITS: Final = MAX_ROUNDS + MAX_GRANTS + 1
"""Most visits of a step of a phase: one per round, and one if the state was not as expected."""
NOTHING: Final[Mapping[Outcome, Announcement]] = MappingProxyType({})


def in_order(state: RunState, step: str) -> None:
    """Raise RefusedError, with the command of the next step, for a step out of order."""
    if step in WAVE_STEPS:
        check_approved(state)
    if due(state).step != step:
        raise out_of_order(state, step)


def work(row: PhaseSpec, visits: int = MAX_VISITS, after: str | None = None) -> StepDef:
    """Return the step for the work of a phase. Its agent does it, or in a light run the agent that reads the page.

    Args:
        row: The phase.
        visits: Most visits of the step.
        after: The step to go on with if the run does not go through this phase.
    """

    def launch(
        context: StepContext, state_dir: StateDir | None = None
    ) -> tuple[Literal[Outcome.OK, Outcome.SKIP, Outcome.ITERATE, Outcome.FAIL], State]:
        """Lead on. OK: an agent works. SKIP: the script has done the work. ITERATE: the run does not have this phase.

        FAIL: the agent of an earlier phase first fixes findings on its own work; then the step runs again.
        """
        state = state_of(context)
        if after is not None and due(state).step == after:
            return Outcome.ITERATE, {}
        if row in EXECUTING:
            check_approved(state)
            takes = row is IMPL_CODE and _takes_diffs(state)
            if takes and state.run.building is not None and state.run.building.applied:
                return Outcome.SKIP, {}
            check_valid(state)
            if takes and _applied(state):
                return Outcome.SKIP, {}
        in_order(state, step_id(row, Block.WORK))
        owners = state.run.awaited_owners(row.phase, state.round(row.phase))
        return (Outcome.FAIL if owners else Outcome.OK), {}

    review = step_id(row, Block.DECOMPOSE)
    next_: dict[Outcome, Target] = {
        Outcome.OK: review,
        Outcome.SKIP: review,
        Outcome.ITERATE: after,
        Outcome.FAIL: step_id(row, Block.WORK),
    }
    forwards: dict[Outcome, Announcement] = {Outcome.SKIP: None}
    if after not in (None, WAVE_NEXT):
        forwards[Outcome.ITERATE] = None
    return phase_step(row, Block.WORK, launch, next_, visits * len(Block), forwards)


def _takes_diffs(state: RunState) -> bool:
    """Return True before the gate of the wave's first round, which judges the approved diffs."""
    steps = [step_id(IMPL_CODE, block) for block in (Block.WORK, Block.DECOMPOSE, Block.VERIFY)]
    _, _, lap = state.run.at(IMPL_CODE.phase)
    is_first = lap == state.round(IMPL_CODE.phase) == 1
    return not state.run.is_light and is_first and due(state).step in steps


def _applied(state: RunState) -> bool:
    """Return True if all approved diffs of the wave were applied unchanged, so that developers have nothing to do."""
    from ..execution.apply_wave import apply_wave, is_as_approved  # both run git

    if due(state).step == step_id(IMPL_CODE, Block.WORK):
        from ..commands.submission import hand_in

        for milestone in apply_wave(state):
            hand_in(state.state_dir, IMPL_CODE.phase, milestone)
    if not is_as_approved(state):
        return False
    change_run(state.state_dir, _with_applied)
    return True


def _with_applied(run: Run) -> Run:
    return evolve(run, building=evolve(run.building, applied=True)) if run.building else run


def decompose(row: PhaseSpec, visits: int = MAX_VISITS) -> StepDef:
    """Return the step that has an agent split the review, unless it exists already or has standing items."""

    def launch(context: StepContext) -> tuple[Literal[Outcome.OK, Outcome.SKIP], State]:
        from .standing_review import begin_standing

        run = state_of(context).run
        if run.is_scattered(row.phase) and due(state_of(context)).step == step_id(row, Block.DECOMPOSE):
            from ..review.hand_in import gather  # only agents that have worked apart pay for this import

            gather(state_of(context), row)
        begun = begin_standing(state_of(context), row)
        state = state_of(context)
        if begun or due(state).step == step_id(row, Block.VERIFY):
            return Outcome.SKIP, {}
        in_order(state, step_id(row, Block.DECOMPOSE))
        return Outcome.OK, {}

    verifying = step_id(row, Block.VERIFY)
    next_ = {Outcome.OK: verifying, Outcome.SKIP: verifying}
    return phase_step(row, Block.DECOMPOSE, launch, next_, visits, {Outcome.SKIP: None})


def verify(row: PhaseSpec, visits: int = MAX_VISITS) -> StepDef:
    """Return the step that has verifiers judge every open item. The gate reads the verdicts, not their replies."""

    def launch(context: StepContext) -> Going:
        in_order(state_of(context), step_id(row, Block.VERIFY))
        return Outcome.OK, {}

    return phase_step(row, Block.VERIFY, launch, {Outcome.OK: step_id(row, Block.ROUTE)}, visits)


def phase_step(
    row: PhaseSpec,
    block: Block,
    handler: Handler,
    next_: Next,
    visits: int,
    forwards: Mapping[Outcome, Announcement] = NOTHING,
) -> StepDef:
    """Return one of a phase's four steps, with the text that all phases share."""
    prompt: Section = for_phase(TEXTS, row.phase)[block]
    return StepDef(
        id=step_id(row, block),
        title=f"{row.phase}: {prompt.title}",
        actions=(prompt.text,),
        handler=handler,
        next=next_,
        forwards=forwards,
        slots=slots_for(prompt.text, row, AgentRole.ORCHESTRATOR, FACTS[block]),
        phase=row.phase,
        changes_state=block is not Block.VERIFY,
        limit=visits,
    )
