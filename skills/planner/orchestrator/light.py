"""A light run: the work is handed in by the step that has it reviewed, and a review has standing items."""

import json
from typing import Final

from lib.workflow.codec import codec

from ..commands.ledger import submit
from ..next_step import Block, due, out_of_order, step_id
from ..phases import EXECUTING, Row
from ..schema.review import Review, ReviewItem
from ..state.reviews import review_store
from ..state.run_state import RunState
from ..texts import sections

LIGHT: Final = "light"
"""The file of the standing items and of what a reviewer has."""


def hand_in(state: RunState, row: Row) -> None:
    """Hand in the work of a phase and begin its review, as far as that is not done.

    Raises RefusedError for work that cannot be handed in, and for a phase whose turn it is not.
    """
    here = (step_id(row, Block.WORK), step_id(row, Block.DECOMPOSE), step_id(row, Block.VERIFY))
    step = due(state).step
    if step not in here:
        raise out_of_order(state, step_id(row, Block.VERIFY))
    if step == here[0]:
        submit(state.state_dir, row.phase)
    if state.review(row.phase) is None:
        begun = Review(phase=row.phase, iteration=1, items=standing_items(row))
        review_store(state.state_dir, row.phase).create(begun, same=lambda _: True)


def standing_items(row: Row) -> tuple[ReviewItem, ...]:
    """Return the items of a light review: what the process is for, in a handful of checks."""
    name = "items-code" if row in EXECUTING else "items-design"
    one = codec(ReviewItem)
    return tuple(one.loads(json.dumps(item)) for item in json.loads(sections(LIGHT)[name].text))
