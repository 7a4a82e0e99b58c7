"""What the page of a gate says of its decision, told from the record: the same whenever it is asked."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from lib.workflow.types import GateStatus

from ..facts import Where
from ..schema.item_status import ItemStatus

if TYPE_CHECKING:
    from ..schema.review import Review, ReviewItem

MAX_SHOWN: Final = 5000
"""Characters of the findings that a user is shown; a page that clients do not cut has room for so much."""


def decided(where: Where) -> str:
    """What the gate has decided; where the user is to decide, with the items that they are asked about."""
    run = where.state.run
    gate = run.gate(where.row.phase)
    if gate is not None:
        accepted = f"; the user accepted {', '.join(gate.accepted)}" if gate.accepted else ""
        return _with_claim(where, f"Passed{accepted}.")
    if run.aborted:
        return "The user has ended this run."
    review = where.state.review(where.row.phase)
    assert review is not None  # its gate was not passed
    return _with_claim(where, _failed(where, review) or _open(review))


def _failed(where: Where, review: "Review") -> str | None:
    """What is said of a round that has led back to the work, which is not handed in again yet."""
    rounds = where.state.run.rounds_of(where.row.phase)
    if not rounds or rounds[-1].iteration != review.iteration - 1:
        return None
    if where.state.run.submitted(where.row.phase, review.iteration):
        return None
    closed = rounds[-1].failed
    again = len(rounds) > 1 and closed == rounds[-2].failed
    same = "; exactly these failed in the round before, too" if again else ""
    return f"Round {rounds[-1].iteration} has failed: {_ids(item for item in review.items if item.id in closed)}{same}."


def _open(review: "Review") -> str:
    """What is said of a round that nothing has closed: verdicts are missing, or the user is to decide."""
    items = review.of(ItemStatus.TODO, ItemStatus.FAIL)
    unjudged = [item for item in items if item.judged != review.iteration]
    if unjudged:
        return f"Round {review.iteration} is open; without a verdict in it: {_ids(unjudged)}."
    head = f"Round {review.iteration}, the last, has failed, and the user decides. What has failed:"
    shown: list[str] = []
    for number, item in enumerate(items):
        line = f"- {item.id}: {_line(item.check)} | found: {_line(item.finding or '')}"
        if sum(map(len, shown)) + len(line) > MAX_SHOWN:
            return "\n".join((head, *shown, f"- not shown for want of room: {_ids(items[number:])}"))
        shown.append(line)
    return "\n".join((head, *shown))


def _with_claim(where: Where, said: str) -> str:
    """The decision, and a line more where the claim and the record differ."""
    claimed = where.context.step_state.get("qr_status")
    gate = where.state.run.gate(where.row.phase)
    if (claimed == GateStatus.PASS) is (gate is not None and not gate.accepted):
        return said
    return f"{said}\nThe status that was claimed, {claimed}, is not what is on record; the record decides."


def _ids(items: "Iterable[ReviewItem]") -> str:
    return ", ".join(item.id for item in items)


def _line(text: str) -> str:
    return " ".join(text.split())
