"""Application of a wave's approved diffs by the script, so that reviewed code is not typed again."""

from typing import TYPE_CHECKING, Final

from ..diffs.git import IN_ALREADY, applied
from ..schema.phase import Phase
from ..schema.plan.milestone import Milestone

if TYPE_CHECKING:
    from ..schema.plan.milestone import CodeChange
    from ..state.run_state import RunState

SECONDS: Final = 60.0
"""Seconds for one diff."""


def apply_wave(state: "RunState") -> tuple[str, ...]:
    """Apply the diffs of each milestone that is not built yet and whose diffs all fit.

    Returns:
        The ids of the milestones that are now in the project as approved; developers build the others.
    """
    root, building = state.project, state.run.building
    if building is None or building.lap > 1 or state.review(Phase.IMPL_CODE):
        return ()
    awaited = _milestones(state, state.run.awaited(Phase.IMPL_CODE, 1))
    return tuple(milestone.id for milestone in awaited if _apply(milestone, root))


def is_as_approved(state: "RunState") -> bool:
    """Return True if every diff of the wave's code is in its file as it was approved."""
    building = state.run.building
    if building is None or building.lap > 1 or not building.code:
        return False
    changes = [change for each in _milestones(state, building.code) for change in each.code_changes]
    return bool(changes) and all(_is_in(change, state.project) for change in reversed(changes))


def _milestones(state: "RunState", names: tuple[str | None, ...]) -> tuple[Milestone, ...]:
    return tuple(each for each in state.plan.milestones if each.id in names)


def _apply(milestone: Milestone, root: str) -> bool:
    """Apply the missing diffs of a milestone; none at all if one of its diffs does not fit."""
    from ..diffs.trial import tried  # only a wave that is not applied yet pays for this import

    left = [change for change in milestone.code_changes if not _is_in(change, root)]
    if not milestone.code_changes or tried(left, root):
        return False
    return all(applied(change.diff, root, SECONDS) is None for change in left)


def _is_in(change: "CodeChange", root: str) -> bool:
    return applied(change.diff, root, SECONDS, *IN_ALREADY) is None
