"""Assignment of a review's items to verifiers, in balanced batches made of the groups that decompose assigned."""

from typing import Final

from lib.workflow.ast.dispatch import InvokeTemplate, Target, Template, TemplateDispatchNode
from lib.workflow.command import flags
from lib.workflow.command.quoting import Slot
from lib.workflow.command.template import CommandTemplate
from lib.workflow.util.plurals import count

from ..limits import MAX_GROUP, MAX_PARALLEL
from ..phases import PhaseScript, PhaseSpec
from ..schema.review.document import DIFFERENCE, ItemStatus, Review, ReviewItem

RETURNS: Final = "PASS, or FAIL: and ids"


def batches(items: tuple[ReviewItem, ...], at_most: int) -> tuple[tuple[ReviewItem, ...], ...]:
    """Divide items among as few agents as can take them.

    Args:
        items: The items to verify. One agent gets all items of a group, up to MAX_GROUP. An item that a gate has added
            for a difference does not count: its reader has read most of it anyway.
        at_most: Most agents; with more items, each agent gets more.
    """
    if not items:
        return ()
    limit = max(MAX_GROUP, -(-len(items) // at_most))
    loads: list[list[ReviewItem]] = []
    for chunk in sorted(_chunks(items, limit), key=len, reverse=True):
        free = next((load for load in loads if _size(load) + _size(chunk) <= limit), None)
        if free is None and len(loads) < at_most:
            loads.append([*chunk])
        else:
            (free if free is not None else min(loads, key=len)).extend(chunk)
    order = {item.id: number for number, item in enumerate(items)}
    return tuple(tuple(sorted(load, key=lambda item: order[item.id])) for load in loads)


def _size(items: list[ReviewItem]) -> int:
    return sum(item.category != DIFFERENCE for item in items)


def _chunks(items: tuple[ReviewItem, ...], limit: int) -> list[list[ReviewItem]]:
    """Return the items of each group, divided if a group is too large. An item without a group is alone."""
    groups: dict[str, list[ReviewItem]] = {}
    for item in items:
        groups.setdefault(item.group or f"{item.id} alone", []).append(item)
    return [group[start : start + limit] for group in groups.values() for start in range(0, len(group), limit)]


def verification(
    state_dir: str, row: PhaseSpec, review: Review, at_most: int = MAX_PARALLEL, prompt: str | None = None
) -> TemplateDispatchNode:
    """Return the dispatch of a round: every item that has not passed, in batches.

    Raises ValueError if every item has passed.
    """
    words: list[str | Slot] = [*flags({"step": 1, "state_dir": state_dir}), "--qr-items", Slot("GROUP_ITEMS")]
    targets = [
        Target(id=_name(number, batch), values={"items": ",".join(item.id for item in batch)}, title=_title(batch))
        for number, batch in enumerate(batches(review.of(ItemStatus.TODO, ItemStatus.FAIL), at_most), 1)
    ]
    command = CommandTemplate(row.module(PhaseScript.VERIFY), tuple(words))
    return TemplateDispatchNode(
        agent=row.agent(PhaseScript.VERIFY),
        at_most=at_most,
        targets=tuple(targets),
        template=Template(prompt=prompt, invoke=InvokeTemplate(command)),
        returns=RETURNS,
    )


def _name(number: int, batch: tuple[ReviewItem, ...]) -> str:
    """Return the group if the batch has one; a number distinguishes two batches of the same group."""
    groups = {item.group for item in batch}
    only = groups.pop() if len(groups) == 1 else None
    return f"{only}-{number}" if only else f"batch-{number}"


def _title(batch: tuple[ReviewItem, ...]) -> str:
    return count(len(batch), "item")
