"""Reviews with standing items, written by the script: for a light run, and for a wave applied as approved."""

import json
from typing import Final

from lib.workflow.codec import codec

from ..next_step import Block, due, step_id
from ..phases import EXECUTING, IMPL_CODE, PhaseSpec
from ..schema.review.document import Review, ReviewItem
from ..state.reviews import review_store
from ..state.run_state import RunState
from ..texts import sections

STANDING: Final = "light"
"""The file of the standing items, and of the sources of a light run's reviewer."""


def begin_standing(state: RunState, row: PhaseSpec) -> bool:
    """Start the review of a phase with standing items if it is time. Returns True if there is such a review.

    In a light run this also hands the work in, because its agent goes on to the review when it is done; again, if the
    work has changed and nobody has judged it. Raises RefusedError for work that cannot be handed in.
    """
    step = due(state).step
    if state.run.is_light and (
        step == step_id(row, Block.WORK) or (step == step_id(row, Block.VERIFY) and not _is_judged(state, row))
    ):
        from ..commands.submission import hand_in  # only a light run pays for this import

        hand_in(state.state_dir, row.phase)
        state = RunState(state.state_dir)
        step = due(state).step
    if step != step_id(row, Block.DECOMPOSE) or not _stands(state, row):
        return False
    begun = Review(phase=row.phase, iteration=1, items=standing_items(state, row))
    review_store(state.state_dir, row.phase).create(begun, same=lambda _: True)
    return True


def _is_judged(state: RunState, row: PhaseSpec) -> bool:
    review = state.review(row.phase)
    return review is not None and any(item.judged == review.iteration for item in review.items)


def _stands(state: RunState, row: PhaseSpec) -> bool:
    if state.run.is_light:
        return True
    from ..execution.apply_wave import is_as_approved  # only a wave pays for this import

    return row is IMPL_CODE and is_as_approved(state)


def standing_items(state: RunState, row: PhaseSpec) -> tuple[ReviewItem, ...]:
    """Return the standing items of a review: the purpose of the process in a few checks."""
    code = "items-code" if state.run.is_light else "items-wave"
    name = code if row in EXECUTING else "items-design"
    one = codec(ReviewItem)
    return tuple(one.loads(json.dumps(item)) for item in json.loads(sections(STANDING)[name].text))
