"""The executor's workflow: a first step, four steps for each of two phases, and the step to the next wave."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.ast.step import GateResult
from lib.workflow.core import Arg, AskUser, Handler, Outcome, State, StepContext, StepDef, Workflow
from lib.workflow.core.step import Announcement
from lib.workflow.types import AgentRole, GateStatus

from ..agents.slots import FAILURES, SlotContext, SlotResolver, slots_for
from ..agents.steps import PARAMS, Next, StateDir
from ..modules import EXECUTOR
from ..next_step import EXEC_INIT, WAVE_NEXT, Block, step_id
from ..phases import IMPL_CODE, IMPL_DOCS
from ..schema.choice import Choice
from ..state.run_state import state_of
from ..texts import sections
from .gate.gate_step import Abort, Accept, Grant, route
from .phase_steps import NOTHING, decompose, verify, work
from .wave_slots import BEGINNING, MOVING, begun, decided
from .waves import advance as advance_wave
from .waves import begin as begin_wave

Reconcile: TypeAlias = Annotated[bool, Arg(description="first find out which parts of the plan are already done")]
TEXTS: Final = "executor"
MAX_WAVES: Final = 1000
"""Most visits of a step; a plan has fewer waves, laps and rounds."""


def executor() -> Workflow:
    """Return the workflow of ten steps."""
    following = {IMPL_CODE: step_id(IMPL_DOCS, Block.WORK), IMPL_DOCS: WAVE_NEXT}
    phases = [
        each
        for row, then in following.items()
        for each in (
            work(row, MAX_WAVES, then),
            decompose(row, MAX_WAVES),
            verify(row, MAX_WAVES),
            route(row, then, MAX_WAVES, otherwise=WAVE_NEXT if row is IMPL_CODE else None),
        )
    ]
    return Workflow(
        "executor",
        _init(),
        *phases,
        _next(),
        module=EXECUTOR,
        description="From an approved plan to reviewed code and documentation, wave by wave.",
        params=PARAMS,
        tags=FAILURES,
    )


def _init() -> StepDef:
    def begin(
        context: StepContext, state_dir: StateDir | None = None, reconcile: Reconcile = False
    ) -> tuple[Literal[Outcome.OK, Outcome.SKIP, Outcome.ITERATE], State]:
        """Start. OK: the first wave. SKIP: it only documents. ITERATE: again, after a reviewer found what is done."""
        state = state_of(context)
        return begin_wave(state, reconcile), {"state_dir": state.state_dir}

    next_ = {
        Outcome.OK: step_id(IMPL_CODE, Block.WORK),
        Outcome.SKIP: step_id(IMPL_DOCS, Block.WORK),
        Outcome.ITERATE: EXEC_INIT,
    }
    return _step(EXEC_INIT, begin, next_, BEGINNING, 2, {Outcome.OK: begun, Outcome.SKIP: begun})


def _next() -> StepDef:
    def advance(
        context: StepContext,
        state_dir: StateDir | None = None,
        accept_findings: Accept = False,
        grant_round: Grant = False,
        abort: Abort = False,
    ) -> tuple[Literal[Outcome.OK, Outcome.SKIP, Outcome.ITERATE, Outcome.FAIL], State] | AskUser:
        """Go on. OK: the end. ITERATE, SKIP: the next wave. FAIL: the work again, because the checks failed."""
        return advance_wave(state_of(context), Choice.of(accept_findings, grant_round, abort))

    next_ = {
        Outcome.OK: None,
        Outcome.SKIP: step_id(IMPL_DOCS, Block.WORK),
        Outcome.ITERATE: step_id(IMPL_CODE, Block.WORK),
        Outcome.FAIL: step_id(IMPL_CODE, Block.WORK),
    }

    def checks_failed(context: StepContext) -> GateResult:
        return GateResult(GateStatus.FAIL, decided(SlotContext(IMPL_CODE, AgentRole.ORCHESTRATOR, context)).said)

    forwards: dict[Outcome, Announcement] = {
        Outcome.SKIP: None,
        Outcome.ITERATE: None,
        Outcome.FAIL: checks_failed,
    }
    return _step(WAVE_NEXT, advance, next_, MOVING, MAX_WAVES, forwards)


def _step(
    name: str,
    handler: Handler,
    next_: Next,
    facts: Mapping[str, SlotResolver],
    limit: int,
    forwards: Mapping[Outcome, Announcement] = NOTHING,
) -> StepDef:
    prompt = sections(TEXTS)[name]
    return StepDef(
        id=name,
        title=prompt.title,
        actions=(prompt.text,),
        handler=handler,
        next=next_,
        forwards=forwards,
        slots=slots_for(prompt.text, IMPL_CODE, AgentRole.ORCHESTRATOR, facts),
        changes_state=True,
        limit=limit,
    )
