"""Findings that a role must fix: those of its own phase, or of a later one that found a fault of this role."""

from typing import TYPE_CHECKING

from lib.workflow.types import AgentRole

from ..phases import EXECUTING, PLANNING, PhaseSpec, row_of
from .gate import blocking

if TYPE_CHECKING:
    from ..schema.review.document import ReviewItem
    from ..state.run_state import RunState


def phase_at_work(state: "RunState", row: PhaseSpec) -> PhaseSpec | None:
    """Return the phase whose findings the role of a row fixes now.

    It is the row itself until its gate has passed. After that it is the current phase, if its last round has found a
    fault of this role; else None.
    """
    run = state.run
    if run.gate(row.phase) is None:
        return row
    order = run.planning if row in PLANNING else run.wave_phases
    open_ = next((phase for phase in order if run.gate(phase) is None), None)
    if open_ is None or row.role not in run.owners(open_, state.round(open_)):
        return None
    return row_of(open_)


def to_fix(state: "RunState", row: PhaseSpec) -> "tuple[ReviewItem, ...]":
    """Return the failed items that the role of a row fixes now.

    The role of the current phase gets all that block the gate, so that it can continue the fixes of others.
    """
    found = phase_at_work(state, row)
    review = state.review(found.phase) if found else None
    if found is None or review is None:
        return ()
    items = blocking(review, found.policy)
    return items if found is row else tuple(item for item in items if item.owner is row.role)


def row_of_role(row: PhaseSpec, role: AgentRole) -> PhaseSpec:
    """Return the row of the same kind that belongs to a role."""
    return next(each for each in (PLANNING if row in PLANNING else EXECUTING) if each.role is role)


def fixer(state: "RunState", row: PhaseSpec) -> PhaseSpec:
    """Return the row whose role works next in a phase. A role with findings of its own to fix comes first."""
    awaited = state.run.awaited_owners(row.phase, state.round(row.phase))
    return row_of_role(row, awaited[0]) if awaited else row
