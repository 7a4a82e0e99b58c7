"""A gate's decision as text, computed from the state files, so it is the same on each call."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from lib.workflow.types import GateStatus

from ...agents.slots import SlotContext
from ...phases import planning_of, wave_of
from ...schema.review.item_status import ItemStatus
from .gate_stand import Decided, Stand

if TYPE_CHECKING:
    from ...schema.review.document import Review, ReviewItem

MAX_SHOWN: Final = 5000
"""Most characters of the findings that a user sees, so that clients do not truncate the page."""


def decided(where: SlotContext) -> Decided:
    """Return the gate's decision; if the user must decide, with the items in question."""
    run = where.state.run
    gate = run.gate(where.row.phase)
    if gate is not None:
        accepted = f"; the user accepted {', '.join(gate.accepted)}" if gate.accepted else ""
        stand = Stand.PASSED
        if where.row is planning_of(run)[-1]:
            stand = Stand.APPROVED
        elif where.row is next(reversed(wave_of(run)), None):
            stand = Stand.NEXT
        return _with_claim(where, Decided(stand, f"{where.row.phase} passed{accepted}."))
    if run.aborted:
        return Decided(Stand.ENDED, "The user has ended this run.")
    review = where.state.review(where.row.phase)
    assert review is not None  # its gate was not passed
    return _with_claim(where, _failed(where, review) or _open(where, review))


def _failed(where: SlotContext, review: "Review") -> Decided | None:
    """Return the decision of a round that led back to the work, until the work is handed in again."""
    rounds = where.state.run.rounds_of(where.row.phase)
    if not rounds or rounds[-1].iteration != review.iteration - 1:
        return None
    if where.state.run.submitted(where.row.phase, review.iteration):
        return None
    closed = rounds[-1].failed
    again = len(rounds) > 1 and closed == rounds[-2].failed
    same = ", as in the round before" if again else ""
    failed = _ids(item for item in review.items if item.id in closed)
    return Decided(Stand.REPAIR, f"Round {rounds[-1].iteration} of {where.row.phase} failed: {failed}{same}.")


def _open(where: SlotContext, review: "Review") -> Decided:
    """Return the decision of an open round: verdicts are missing, or the user must decide."""
    items = review.of(ItemStatus.TODO, ItemStatus.FAIL)
    unjudged = [item for item in items if item.judged != review.iteration]
    if unjudged:
        said = f"Round {review.iteration} is open; these items have no verdict: {_ids(unjudged)}."
        return Decided(Stand.UNJUDGED, said)
    head = f"Round {review.iteration} of {where.row.phase}, the last, failed. The user decides about these items:"
    return Decided(Stand.ASKED, "\n".join((head, *_shown(where, items))))


def _shown(where: SlotContext, items: "tuple[ReviewItem, ...]") -> list[str]:
    """Return the items that the user decides about, one per line, up to the limit of a page."""
    lines: list[str] = []
    left = MAX_SHOWN
    for number, item in enumerate(items):
        line = f"- {item.id}: {_line(item.check)} | found: {_line(item.finding or '')}"
        left -= len(line)
        if left < 0:
            rest = where.state.text(where.row.phase.review_file)
            return [*lines, f"- not shown for want of room, and to be read in {rest}: {_ids(items[number:])}"]
        lines.append(line)
    return lines


def _with_claim(where: SlotContext, found: Decided) -> Decided:
    """Return the decision, with one more line if the claimed status differs from the state files."""
    claimed = where.context.step_state.get("qr_status")
    gate = where.state.run.gate(where.row.phase)
    if claimed is None or (claimed == GateStatus.PASS) is (gate is not None and not gate.accepted):
        return found
    differs = f"The claimed status was {claimed}; the record decides."
    return found._replace(said=f"{found.said}\n{differs}")


def _ids(items: "Iterable[ReviewItem]") -> str:
    return ", ".join(item.id for item in items)


def _line(text: str) -> str:
    return " ".join(text.split())
