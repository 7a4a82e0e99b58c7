"""What the page of a gate says of its decision, told from the record: the same whenever it is asked."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from lib.workflow.types import GateStatus

from ..agents.slots import Where
from ..phases import PLANNING
from ..schema.item_status import ItemStatus
from .stand import Decided, Stand

if TYPE_CHECKING:
    from ..schema.review import Review, ReviewItem

MAX_SHOWN: Final = 5000
"""Characters of the findings that a user is shown; a page that clients do not cut has room for so much."""


def decided(where: Where) -> Decided:
    """What the gate has decided; where the user is to decide, with the items that they are asked about."""
    run = where.state.run
    gate = run.gate(where.row.phase)
    if gate is not None:
        accepted = f"; the user accepted {', '.join(gate.accepted)}" if gate.accepted else ""
        stand = Stand.APPROVED if where.row is PLANNING[-1] else Stand.PASSED
        return _with_claim(where, Decided(stand, f"Passed{accepted}."))
    if run.aborted:
        return Decided(Stand.ENDED, "The user has ended this run.")
    review = where.state.review(where.row.phase)
    assert review is not None  # its gate was not passed
    return _with_claim(where, _failed(where, review) or _open(where, review))


def _failed(where: Where, review: "Review") -> Decided | None:
    """What is said of a round that has led back to the work, which is not handed in again yet."""
    rounds = where.state.run.rounds_of(where.row.phase)
    if not rounds or rounds[-1].iteration != review.iteration - 1:
        return None
    if where.state.run.submitted(where.row.phase, review.iteration):
        return None
    closed = rounds[-1].failed
    again = len(rounds) > 1 and closed == rounds[-2].failed
    same = "; exactly these failed in the round before, too" if again else ""
    failed = _ids(item for item in review.items if item.id in closed)
    return Decided(Stand.REPAIR, f"Round {rounds[-1].iteration} has failed: {failed}{same}.")


def _open(where: Where, review: "Review") -> Decided:
    """What is said of a round that nothing has closed: verdicts are missing, or the user is to decide."""
    items = review.of(ItemStatus.TODO, ItemStatus.FAIL)
    unjudged = [item for item in items if item.judged != review.iteration]
    if unjudged:
        said = f"Round {review.iteration} is open; without a verdict in it: {_ids(unjudged)}."
        return Decided(Stand.UNJUDGED, said)
    head = f"Round {review.iteration}, the last, has failed, and the user decides. What has failed:"
    return Decided(Stand.ASKED, "\n".join((head, *_shown(where, items))))


def _shown(where: Where, items: "tuple[ReviewItem, ...]") -> list[str]:
    """The items that the user decides about, a line each, as many as a page has room for."""
    lines: list[str] = []
    left = MAX_SHOWN
    for number, item in enumerate(items):
        line = f"- {item.id}: {_line(item.check)} | found: {_line(item.finding or '')}"
        left -= len(line)
        if left < 0:
            rest = where.state.path(where.row.phase.review_file)
            return [*lines, f"- not shown for want of room, and to be read in {rest}: {_ids(items[number:])}"]
        lines.append(line)
    return lines


def _with_claim(where: Where, found: Decided) -> Decided:
    """The decision, and a line more where the claim and the record differ."""
    claimed = where.context.step_state.get("qr_status")
    gate = where.state.run.gate(where.row.phase)
    if (claimed == GateStatus.PASS) is (gate is not None and not gate.accepted):
        return found
    differs = f"The status that was claimed, {claimed}, is not what is on record; the record decides."
    return found._replace(said=f"{found.said}\n{differs}")


def _ids(items: "Iterable[ReviewItem]") -> str:
    return ", ".join(item.id for item in items)


def _line(text: str) -> str:
    return " ".join(text.split())
