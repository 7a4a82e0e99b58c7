"""The planner's workflow: two steps to start, and four steps for every phase."""

import os
from collections.abc import Callable
from functools import partial
from typing import Annotated, Final, Literal, TypeAlias

from attrs import evolve

from lib.workflow.core import Arg, AskUser, Outcome, State, StepContext, StepDef, UsageError, Workflow
from lib.workflow.prompts.markdown import read_text
from lib.workflow.prompts.slots import SlotValue
from lib.workflow.types import AgentRole

from ..agents.slots import FAILURES, SlotContext, slots_for
from ..agents.steps import Going, StateDir
from ..limits import MAX_GOAL, MAX_PARALLEL, MOST_PARALLEL
from ..modules import PLANNER
from ..next_step import CONTEXT, INIT, Block, step_id
from ..phases import PLAN_DESIGN, PLANNING
from ..schema.depth import Depth
from ..state.beginning import begin_run
from ..state.run_state import state_of
from ..texts import sections
from .gate.gate_step import route
from .passages import passages
from .phase_steps import decompose, verify, work
from .run_dir import new_state_dir

Task: TypeAlias = Annotated[
    str, Arg(description="the request, in the user's words, on one line", samples=("add rate limiting",))
]
Parallel: TypeAlias = Annotated[
    int, Arg(description="number of agents that verify at a time", min=1, max=MOST_PARALLEL, samples=(MAX_PARALLEL,))
]
DepthOf: TypeAlias = Annotated[
    Depth, Arg(description="how thorough: light (one agent, fresh reviewers) or full; step 2 asks if it is not given")
]
Save: TypeAlias = Annotated[bool, Arg(description="also write the approved plan to the project's docs/plans")]
TEXTS: Final = "orchestrator"


def planner() -> Workflow:
    """Return the workflow of fourteen steps."""
    steps = [_init(), _context()]
    for number, row in enumerate(PLANNING):
        following = step_id(PLANNING[number + 1], Block.WORK) if number + 1 < len(PLANNING) else None
        steps += [work(row, after=following), decompose(row), verify(row), route(row, following)]
    return Workflow(
        "planner",
        *steps,
        module=PLANNER,
        description="From a request to an approved plan, reviewed at every turn.",
        params=("state_dir", "save", "max_parallel"),
        tags=FAILURES,
    )


def _init() -> StepDef:
    def begin(
        context: StepContext,
        task: Task | None = None,
        state_dir: StateDir | None = None,
        save: Save = False,
        max_parallel: Parallel = MAX_PARALLEL,
        depth: DepthOf | None = None,
    ) -> Going:
        """Start the run, or find it. A task of several lines is given to `cli.plan init --task-file`."""
        if task is None and state_dir is None:
            raise UsageError("--task is missing; give the request of the user, on one line")
        if task is None:
            state_of(context).check_begun()
            return Outcome.OK, {}
        folder = state_dir or new_state_dir(task)
        begin_run(folder, task)
        if depth is not None:
            _set_depth(folder, depth)
        return Outcome.OK, {"state_dir": folder}

    prompt = sections(TEXTS)[INIT]
    slots = slots_for(prompt.text, PLAN_DESIGN, AgentRole.ORCHESTRATOR, {})
    return StepDef(
        id=INIT,
        title=prompt.title,
        actions=(prompt.text,),
        slots={name: partial(_begun, slot) for name, slot in slots.items()},
        handler=begin,
        next={Outcome.OK: CONTEXT},
        changes_state=True,
    )


def _set_depth(state_dir: str, depth: Depth) -> None:
    from ..commands.ledger import set_depth  # most users are asked for it, by another command

    set_depth(state_dir, depth)


def _begun(slot: Callable[[StepContext], SlotValue], context: StepContext) -> SlotValue:
    """Return the value of a slot of the first step, whose run may just have started in a default folder."""
    values, task = context.workflow_params, context.step_state.get("task")
    if values.get("state_dir") is None and isinstance(task, str):
        context = evolve(context, workflow_params={**values, "state_dir": new_state_dir(task)})
    return slot(context)


def _context() -> StepDef:
    def capture(
        context: StepContext, state_dir: StateDir | None = None, depth: DepthOf | None = None
    ) -> tuple[Literal[Outcome.OK, Outcome.ITERATE], State] | AskUser:
        """Lead on. ITERATE: capture the context, then run again. OK: it is frozen and the depth is chosen."""
        from .depth import ask_depth

        state = state_of(context)
        state.check_begun()
        if depth is not None:
            _set_depth(state.state_dir, depth)
            state = state_of(context)
        if state.run.context_digest is None:
            return Outcome.ITERATE, {}
        return ask_depth(state) if state.run.depth is None else (Outcome.OK, {})

    prompt = sections(TEXTS)[CONTEXT]
    facts = passages(
        "context",
        _stand,
        {"capture": _capture, "sample": lambda where: _sample(), "max_goal": lambda where: str(MAX_GOAL)},
    )
    return StepDef(
        id=CONTEXT,
        title=prompt.title,
        actions=(prompt.text,),
        handler=capture,
        next={Outcome.OK: step_id(PLAN_DESIGN, Block.WORK), Outcome.ITERATE: CONTEXT},
        forwards={Outcome.OK: None},
        slots=slots_for(prompt.text, PLAN_DESIGN, AgentRole.ORCHESTRATOR, facts),
        changes_state=True,
        limit=3,
    )


def _stand(where: SlotContext) -> str:
    return "capture" if where.state.run.context_digest is None else "depth"


def _sample() -> str:
    return read_text(os.path.join(os.path.dirname(os.path.dirname(__file__)), "resources", "context-sample.md")).strip()


def _capture(where: SlotContext) -> str:
    return f"{where.plan('freeze-context', '--fields-file', '-')} <<'END'"
