"""The steps of a phase before its gate: the work, the review taken apart, its items verified."""

from collections.abc import Mapping
from typing import Final, Literal

from lib.workflow.core import Handler, Outcome, State, StepContext, StepDef, Undecided
from lib.workflow.pages import Section
from lib.workflow.types import AgentRole, GateStatus

from ..agents.slots import slots_for
from ..agents.steps import Going, Next, StateDir
from ..execution.approval import check_approved, check_valid
from ..limits import MAX_GRANTS, MAX_ROUNDS
from ..next_step import WAVE_STEPS, Block, due, out_of_order, step_id
from ..phases import EXECUTING, Row
from ..state.run_state import RunState, state_of
from ..texts import for_phase
from .slots import FACTS

TEXTS: Final = "orchestrator"
MAX_VISITS: Final = MAX_ROUNDS + MAX_GRANTS + 1
"""How often a step of a phase is due at most: once a round, and once where the state was not what it should be."""
Verdict = Literal[Outcome.OK, Outcome.FAIL]


def in_order(state: RunState, step: str) -> None:
    """Raises RefusedError, with the command that is due, for a step that is not."""
    if step in WAVE_STEPS:
        check_approved(state)
    if due(state).step != step:
        raise out_of_order(state, step)


def work(row: Row, visits: int = MAX_VISITS) -> StepDef:
    """Hands the phase to its agent; then the review is taken apart, or, after a repair, verified again."""

    def launch(
        context: StepContext, state_dir: StateDir | None = None
    ) -> tuple[Literal[Outcome.OK, Outcome.SKIP], State]:
        state = state_of(context)
        in_order(state, step_id(row, Block.WORK))
        if row in EXECUTING:
            check_valid(state)
        return (Outcome.SKIP if state.review(row.phase) else Outcome.OK), {}

    next_ = {Outcome.OK: step_id(row, Block.DECOMPOSE), Outcome.SKIP: step_id(row, Block.VERIFY)}
    return phase_step(row, Block.WORK, launch, next_, visits)


def decompose(row: Row, visits: int = MAX_VISITS) -> StepDef:
    """Hands the review to the agent that takes it apart."""

    def launch(context: StepContext) -> Going:
        in_order(state_of(context), step_id(row, Block.DECOMPOSE))
        return Outcome.OK, {}

    return phase_step(row, Block.DECOMPOSE, launch, {Outcome.OK: step_id(row, Block.VERIFY)}, visits)


def verify(row: Row, visits: int = MAX_VISITS) -> StepDef:
    """Hands every open item to an agent; the gate is told what they said together."""

    def launch(context: StepContext) -> Undecided[Verdict]:
        in_order(state_of(context), step_id(row, Block.VERIFY))
        return Undecided({Outcome.OK: {"qr_status": GateStatus.PASS}, Outcome.FAIL: {"qr_status": GateStatus.FAIL}})

    next_ = {Outcome.OK: step_id(row, Block.ROUTE), Outcome.FAIL: step_id(row, Block.ROUTE)}
    when = {
        Outcome.OK: "the reply of every agent is PASS",
        Outcome.FAIL: "a reply is FAIL, or anything else, or missing",
    }
    return phase_step(row, Block.VERIFY, launch, next_, visits, when)


def phase_step(
    row: Row, block: Block, handler: Handler, next_: Next, visits: int, when: Mapping[Outcome, str] | None = None
) -> StepDef:
    """One of a phase's four steps, with the text that all phases share."""
    prompt: Section = for_phase(TEXTS, row.phase)[block]
    return StepDef(
        id=step_id(row, block),
        title=f"{row.phase}: {prompt.title}",
        actions=(prompt.text,),
        handler=handler,
        next=next_,
        when=when or {},
        slots=slots_for(prompt.text, row, AgentRole.ORCHESTRATOR, FACTS[block]),
        phase=row.phase,
        changes_state=block is Block.ROUTE,
        limit=visits,
    )
