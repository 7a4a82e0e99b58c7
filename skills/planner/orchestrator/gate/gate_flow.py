"""Logic of a gate: it decides from the state files, changes them, and returns the outcome."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lib.workflow.core import AskUser, Outcome, State
from lib.workflow.types import GateStatus

from ...execution.approval import check_approved
from ...next_step import Block, due, out_of_order, step_id
from ...phases import EXECUTING, PLANNING, PhaseSpec, planning_of
from ...review.gate import Decision, Way
from ...review.rounds import approve, check_reviewed, close, decision, let_pass
from ...schema.choice import Choice
from ...state.run_state import RunState
from ..save_plan import save_plan
from .gate_stand import Lead
from .user_choice import carry_out, on_record, question, too_early

LEADS: Final[Mapping[Way, Lead]] = MappingProxyType(
    {Way.PASS: Outcome.OK, Way.REPAIR: Outcome.FAIL, Way.VERIFY: Outcome.ITERATE}
)


def passing(
    state: RunState, row: PhaseSpec, claimed: GateStatus | None, choice: Choice | None, *, save: bool
) -> tuple[Lead, State] | AskUser:
    """Decide the outcome of a phase's gate. Raises RefusedError if it is not the gate's turn.

    A gate that passes leads by OK to the step that follows in a full run, and by SKIP to the one that follows if the
    run is light; `route` declares both.
    """
    if state.run.aborted:
        return Outcome.SKIP, {}
    if row in EXECUTING:
        check_approved(state)
    found = decision(state, row)
    if state.run.gate(row.phase) is None:
        _check_due(state, row, found)
    if found.way is Way.ASK and choice is None:
        return question(state, row, claimed)
    if found.way is not Way.ASK and choice is not None and not on_record(state, row, choice):
        raise too_early(row, choice)
    lead = _recorded(state, row, found, choice)
    if lead is Outcome.OK and row in PLANNING and row is planning_of(state.run)[-1]:
        approve(state, row)
        if save:
            save_plan(state)
    return (Outcome.SKIP if lead is Outcome.OK and state.run.is_light else lead), {}


def _recorded(state: RunState, row: PhaseSpec, found: Decision, choice: Choice | None) -> Lead:
    """Record the decision and return its outcome."""
    if (found.way is Way.PASS or choice is Choice.ACCEPT) and state.run.gate(row.phase) is None:
        _check_complete(state, row)
        check_reviewed(state, row, choice)
    if found.closes:
        close(state, row)
    if found.way is Way.PASS:
        let_pass(state, row)
    return carry_out(state, row, choice) if found.way is Way.ASK and choice else LEADS[found.way]


def _check_complete(state: RunState, row: PhaseSpec) -> None:
    """Raise RefusedError for a plan that lacks the phase's results. It can change after its hand-in."""
    if row in PLANNING:
        from ...commands.plan.checking import validate

        validate(state.plan, row.phase)


def _check_due(state: RunState, row: PhaseSpec, found: Decision) -> None:
    """Check that it is the gate's turn, that verdicts are missing, or that it has just led back to the work.

    Raises RefusedError in any other case, for any review on disk: no phase passes before its work is handed in.
    """
    step, work = due(state).step, step_id(row, Block.WORK)
    repeated = step == work and found.way is Way.REPAIR and not found.closes
    if not repeated and step not in (step_id(row, Block.VERIFY), step_id(row, Block.ROUTE)):
        raise out_of_order(state, step_id(row, Block.ROUTE))
