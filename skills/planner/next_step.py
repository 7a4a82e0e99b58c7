"""The next step of a run, computed from its state files."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from attrs import frozen

from lib.workflow.command import Command, flags
from lib.workflow.errors import RefusedError
from lib.workflow.util.structs import Struct

from .modules import EXECUTOR, PLANNER
from .phases import EXECUTING, PLANNING, PhaseSpec, planning_of, wave_of
from .schema.review.item_status import ItemStatus

if TYPE_CHECKING:
    from .schema.review.document import Review
    from .schema.run import Run
    from .state.run_state import RunState

INIT: Final = "plan-init"
CONTEXT: Final = "context-verify"
EXEC_INIT: Final = "exec-init"
WAVE_NEXT: Final = "wave-next"


class Block(StrEnum):
    """The four steps that every phase has."""

    WORK = "work"
    DECOMPOSE = "qr-decompose"
    VERIFY = "qr-verify"
    ROUTE = "qr-route"


def step_id(row: PhaseSpec, block: Block) -> str:
    """Return the id of a phase's step."""
    return f"{row.phase}-{block}"


STEPS: Final = (INIT, CONTEXT, *(step_id(row, block) for row in PLANNING for block in Block))
"""All steps of the planner, in their order. A step's number is its place."""
WAVE_STEPS: Final = (EXEC_INIT, *(step_id(row, block) for row in EXECUTING for block in Block), WAVE_NEXT)
"""All steps of the executor."""


@frozen
class NextStep(Struct):
    """The next step, or None if the run needs none, and the reason."""

    step: str | None
    why: str
    reconcile: bool = False
    """True if a reviewer must first find which milestones are already done."""

    def command(self, state_dir: str) -> Command | None:
        """Return the command of the next step."""
        if self.step is None:
            return None
        module, steps = (PLANNER, STEPS) if self.step in STEPS else (EXECUTOR, WAVE_STEPS)
        step = steps.index(self.step) + 1
        reconcile = self.reconcile or None
        return Command(module, flags({"step": step, "state_dir": state_dir, "reconcile": reconcile}))


def due(state: "RunState") -> NextStep:
    """Return the next step of a run that has started."""
    run = state.run
    if run.aborted:
        return NextStep(None, "the user has ended this run")
    if run.context_digest is None:
        return NextStep(CONTEXT, "the context is not frozen")
    for row in planning_of(run):
        if run.gate(row.phase) is None:
            return _in_phase(row, run, state.review(row.phase))
    return _executing(state, run)


def out_of_order(state: "RunState", step: str) -> RefusedError:
    """Return the refusal of a step out of order, with the right command."""
    found = due(state)
    command = found.command(state.state_dir)
    fix = "Run the next command." if command else "There is nothing left to do in this run."
    return RefusedError("out-of-order", step, found.why, fix, command)


def not_asked(step: str) -> RefusedError:
    """Return the refusal of an answer without a question."""
    what = "the flag answers a question that was not asked"
    return RefusedError("nothing-to-decide", step, what, "Run the same command without it.")


def _executing(state: "RunState", run: "Run") -> NextStep:
    if run.finished:
        return NextStep(None, "the plan is carried out")
    if run.building is None:
        asked = run.reconciling and run.done is None
        why = "the finished milestones are not recorded" if asked else "the plan is approved but not started"
        return NextStep(EXEC_INIT, why, reconcile=asked)
    for row in wave_of(run):
        if run.gate(row.phase) is None:
            return _in_phase(row, run, state.review(row.phase))
    return NextStep(WAVE_NEXT, f"{run.building.wave} has passed its reviews")


def _in_phase(row: PhaseSpec, run: "Run", review: "Review | None") -> NextStep:
    from .state.reviews import round_of  # only a run that has come this far pays for this import

    iteration = round_of(review)
    if not run.submitted(row.phase, iteration):
        awaited = ", ".join(run.awaited_owners(row.phase, iteration) or filter(None, run.awaited(row.phase, iteration)))
        whose = f" of {awaited}" if awaited else ""
        return NextStep(step_id(row, Block.WORK), f"the work{whose} of round {iteration} is not submitted")
    if review is None:
        return NextStep(step_id(row, Block.DECOMPOSE), "no review has started")
    open_ = review.of(ItemStatus.TODO, ItemStatus.FAIL)
    if any(item.judged != iteration for item in open_):
        return NextStep(step_id(row, Block.VERIFY), f"items have no verdict in round {iteration}")
    return NextStep(step_id(row, Block.ROUTE), f"every item has its verdict of round {iteration}")
