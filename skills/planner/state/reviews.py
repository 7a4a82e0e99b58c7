"""The review files of a run, `qr-{phase}.json` in its state directory, and the questions of routers about them."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from lib.workflow.codec import codec
from lib.workflow.errors import RefusedError
from lib.workflow.state.store import Store
from lib.workflow.util.suggest import expected

from ..schema.phase import Phase
from ..schema.review.document import ItemStatus, Review, ReviewItem
from .files import run_store

if TYPE_CHECKING:
    from ..schema.run import Run


def review_store(state_dir: str, phase: Phase, guard: Callable[[Review], None] | None = None) -> Store[Review]:
    """Return the store of a phase's review. A file with the review of another phase is refused."""
    path = os.path.join(os.path.abspath(state_dir), phase.review_file)
    remedy = "run the decompose step of the phase, which creates it"
    return Store(path, codec(Review), remedy=remedy, check=_of(phase), guard=guard or _anything)


def open_review(state_dir: str, phase: Phase) -> Store[Review]:
    """Return the store of a phase's review, for changes by its reviewers.

    A change is refused while the work of the round is not handed in, and if the folder has no run.
    """
    runs = run_store(state_dir)  # made before the review is locked, because the import of its classes takes a while

    def handed_in(review: Review) -> None:
        check_handed_in(runs.load(), phase, review.iteration)

    return review_store(state_dir, phase, handed_in)


def check_handed_in(run: "Run", phase: Phase, iteration: int) -> None:
    """Raise RefusedError unless the work that a round reviews is handed in and its gate is open."""
    if run.gate(phase):
        raise RefusedError("phase-passed", phase, "its review was passed", "continue with the next phase")
    if not run.submitted(phase, iteration):
        what = f"the work of round {iteration} is not handed in, so there is nothing to review yet"
        raise RefusedError("not-handed-in", phase, what, "let the agent of the work hand it in first: submit")


def _anything(_: Review) -> None:
    """Accept any review."""


def _of(phase: Phase) -> Callable[[Review], None]:
    def check(review: Review) -> None:
        if review.phase is not phase:
            raise ValueError(f"phase: it is a review of {review.phase}, not of {phase}")

    return check


def load_qr_state(state_dir: str, phase: Phase) -> Review | None:
    """Return the review of a phase; None if none exists. Raises StateError for an invalid file."""
    return review_store(state_dir, phase).find()


def get_qr_item(review: Review, item_id: str) -> ReviewItem:
    """Return the item with an id. Raises RefusedError, with the nearest id, if none exists."""
    for item in review.items:
        if item.id == item_id:
            return item
    raise RefusedError("unknown-id", item_id, "no item has this id", expected(item_id, [i.id for i in review.items]))


def get_qr_iteration(state_dir: str, phase: Phase) -> int:
    """Return the current round of a phase's review; 1 without a review."""
    return round_of(load_qr_state(state_dir, phase))


def round_of(review: Review | None) -> int:
    """Return the current round of a review; 1 without a review."""
    return review.iteration if review else 1


def has_qr_failures(state_dir: str, phase: Phase) -> bool:
    """Return True if a phase's review has failed items, so that its work step fixes them."""
    review = load_qr_state(state_dir, phase)
    return review is not None and bool(review.of(ItemStatus.FAIL))


def get_pending_qr_items(state_dir: str, phase: Phase) -> tuple[str, ...]:
    """Return the ids of the items that have not passed yet. Raises StateError without a review."""
    review = review_store(state_dir, phase).load()
    return tuple(item.id for item in review.of(ItemStatus.TODO, ItemStatus.FAIL))
