"""What a gate does: it decides by what is on record, changes the record, and says where that leads."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lib.workflow.core import Asks, Outcome, RefusedError, State
from lib.workflow.types import GateStatus

from ..approval import check_approved
from ..due import Block, due, step_id
from ..gate import Way
from ..phases import EXECUTING, Row
from ..rounds import Choice, approve, close, decision, let_pass
from ..state.run_state import RunState
from .choices import carry_out, on_record, question, too_early
from .gates import Lead
from .saving import save_plan

LEADS: Final[Mapping[Way, Lead]] = MappingProxyType(
    {Way.PASS: Outcome.OK, Way.REPAIR: Outcome.FAIL, Way.VERIFY: Outcome.ITERATE}
)


def passing(
    state: RunState, row: Row, claimed: GateStatus, choice: Choice | None, *, last: bool, save: bool
) -> tuple[Lead, State] | Asks:
    """Where the gate of a phase leads. Raises RefusedError for a gate that is not to be asked now."""
    if state.run.aborted:
        return Outcome.SKIP, {}
    if row in EXECUTING:
        check_approved(state)
    _in_order(state, row)
    found = decision(state, row, claimed)
    if found.way is Way.ASK and choice is None:
        return question(state, row, claimed)
    if found.way is not Way.ASK and choice is not None and not on_record(state, row, choice):
        raise too_early(row, choice)
    if found.closes:
        close(state, row)
    if found.way is Way.PASS:
        let_pass(state, row)
    lead = carry_out(state, row, choice) if found.way is Way.ASK and choice else LEADS[found.way]
    if lead is Outcome.OK and last:
        approve(state, row)
        if save:
            save_plan(state)
    return lead, {}


def _in_order(state: RunState, row: Row) -> None:
    """A gate can be asked while its review is there, and again when it was passed; never for another phase."""
    if state.run.gate(row.phase) is None and state.review(row.phase) is None:
        found = due(state)
        what = f"its review has not begun, so nothing can pass; {found.why}"
        fix = "Run the command that is due."
        raise RefusedError("no-review", step_id(row, Block.ROUTE), what, fix, found.command(state.state_dir))
