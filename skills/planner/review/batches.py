"""Who verifies what: the items of a review, in balanced batches made of the groups that decompose assigned."""

from typing import Final

from lib.workflow.ast.dispatch import InvokeTemplate, Target, Template, TemplateDispatchNode
from lib.workflow.command import flags
from lib.workflow.shell import Slot
from lib.workflow.template import CommandTemplate

from ..limits import MAX_PARALLEL
from ..phases import Part, Row
from ..schema.review import ItemStatus, Review, ReviewItem

FEWEST: Final = 3
"""Items for which an agent of their own is worth its start."""
RETURNS: Final = "PASS, or FAIL: and the ids of the items that failed"


def batches(items: tuple[ReviewItem, ...], at_most: int) -> tuple[tuple[ReviewItem, ...], ...]:
    """The items divided among agents: those of one group together as far as that keeps the shares even.

    There are as many agents as get FEWEST items each, `at_most` at the most, and one at the least.
    """
    if not items:
        return ()
    agents = max(1, min(at_most, len(items) // FEWEST))
    share = -(-len(items) // agents)
    loads: list[list[ReviewItem]] = [[] for _ in range(agents)]
    for chunk in sorted(_chunks(items, share), key=len, reverse=True):
        min(loads, key=len).extend(chunk)
    return tuple(tuple(load) for load in loads if load)


def _chunks(items: tuple[ReviewItem, ...], share: int) -> list[list[ReviewItem]]:
    groups: dict[str, list[ReviewItem]] = {}
    for item in items:
        groups.setdefault(item.group or "", []).append(item)
    alone = groups.pop("", [])
    chunks = [group[start : start + share] for group in groups.values() for start in range(0, len(group), share)]
    return chunks + [[item] for item in alone]


def verification(
    state_dir: str, row: Row, review: Review, at_most: int = MAX_PARALLEL, prompt: str | None = None
) -> TemplateDispatchNode:
    """The dispatch of a round (002, "QR decompose output contract"): every item that has not passed, in batches.

    Raises ValueError where every item has passed.
    """
    words: list[str | Slot] = [*flags({"step": 1, "state_dir": state_dir}), "--qr-items", Slot("GROUP_ITEMS")]
    targets = [
        Target(id=_name(number, batch), values={"items": ",".join(item.id for item in batch)}, title=_title(batch))
        for number, batch in enumerate(batches(review.of(ItemStatus.TODO, ItemStatus.FAIL), at_most), 1)
    ]
    command = CommandTemplate(row.module(Part.VERIFY), tuple(words))
    return TemplateDispatchNode(
        agent=row.agent(Part.VERIFY),
        at_most=at_most,
        targets=tuple(targets),
        template=Template(prompt=prompt, invoke=InvokeTemplate(command)),
        returns=RETURNS,
    )


def _name(number: int, batch: tuple[ReviewItem, ...]) -> str:
    """The group, where the batch is one; a number keeps two batches of one group apart."""
    groups = {item.group for item in batch}
    only = groups.pop() if len(groups) == 1 else None
    return f"{only}-{number}" if only else f"batch-{number}"


def _title(batch: tuple[ReviewItem, ...]) -> str:
    return f"{len(batch)} item" if len(batch) == 1 else f"{len(batch)} items"
