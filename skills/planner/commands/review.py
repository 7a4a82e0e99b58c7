"""What can be done with a review: pure functions of the review and a request; and how a review begins."""

from typing import Annotated, NamedTuple, TypeAlias

from attrs import evolve

from lib.workflow.ast.declare import Node
from lib.workflow.ast.nodes import Code, Element
from lib.workflow.ast.results import EntityResult, Operation
from lib.workflow.codec import codec
from lib.workflow.errors import RefusedError
from lib.workflow.store import Store
from lib.workflow.suggest import expected
from lib.workflow.table.arguments import Flag
from lib.workflow.table.requests import RequestError

from ..schema.phase import Phase
from ..schema.review import ItemStatus, Review, ReviewItem, check_id
from ..state.reviews import get_qr_item, review_store

Item: TypeAlias = Annotated[str, Flag(positional=True, rule=check_id, description="the item's id")]
Group: TypeAlias = Annotated[str, Flag(positional=True, rule=check_id, description="a name that its items share")]
Members: TypeAlias = Annotated[tuple[str, ...], Flag(each="item", rule=check_id, description="the id of an item")]
Verdict: TypeAlias = Annotated[str, Flag(choices=("PASS", "FAIL"), description="what the check came to")]
Finding: TypeAlias = Annotated[str | None, Flag(long=True, description="why it failed; needed by FAIL, not for PASS")]
Items: TypeAlias = Annotated[
    tuple[ReviewItem, ...], Flag(description="a list of objects: id, scope, check; also group, severity, category")
]
Result: TypeAlias = tuple[Review, Node]


class Opened(NamedTuple):
    """What the options of the command line name: a phase's review."""

    phase: Phase
    store: Store[Review]


def opened(
    state_dir: Annotated[str, Flag(description="the folder of the run's state files", path=True)],
    qr_phase: Annotated[Phase, Flag(description="whose review it is")],
) -> Opened:
    """The review that the options name."""
    return Opened(qr_phase, review_store(state_dir, qr_phase))


def create(review: Opened, items: Items) -> Node:
    """Begin the review of a phase. The same items once more change nothing."""
    for item in items:
        if item.status is not ItemStatus.TODO or item.version != 1:
            raise RequestError("{items}: {id}: items begin as TODO; leave status, finding and version out", id=item.id)
    _check_categories(review.phase, items)
    try:
        first = Review(phase=review.phase, items=items)
    except ValueError as error:
        raise RequestError("{items}: {problem}", problem=str(error)) from None
    written = review.store.create(first, same=lambda found: _begun(found) == _begun(first))
    operation = Operation.CREATED if written else Operation.UNCHANGED
    return EntityResult(id=f"qr-{review.phase}", version=1, operation=operation)


def _check_categories(phase: Phase, items: tuple[ReviewItem, ...]) -> None:
    """A category is one that the phase's verifiers are told something of."""
    from ..texts import categories  # only a review that begins pays for it

    known = categories(phase)
    for item in items:
        if item.category is not None and item.category not in known:
            said = {"id": item.id, "name": f"{item.category!r:.60}", "hint": expected(item.category, known)}
            raise RequestError("{items}: {id}: {name} is no category of this phase; {hint}", **said)


def _begun(review: Review) -> tuple[ReviewItem, ...]:
    """The items without what happens to them later."""
    return tuple(
        evolve(item, status=ItemStatus.TODO, finding=None, version=1, group=None, judged=None) for item in review.items
    )


def update_item(review: Review, item: Item, status: Verdict, finding: Finding = None) -> Result:
    """Record the verdict on an item. A PASS is final; a FAIL can be judged again after a repair."""
    verdict = ItemStatus(status)
    if verdict is ItemStatus.FAIL and finding is None:
        raise RequestError("{status} FAIL needs {finding}: what is wrong, and where")
    if verdict is ItemStatus.PASS and finding is not None:
        raise RequestError("{finding} is for FAIL; say what is wrong with FAIL, or leave it out")
    before = get_qr_item(review, item)
    if before.status is ItemStatus.PASS and verdict is not ItemStatus.PASS:
        raise RefusedError("item-passed", item, "it has passed, which is final", "report what you found in your reply")
    after = review.replace((item,), lambda found: _judged(found, verdict, finding, review.iteration))
    return after, _told(before, get_qr_item(after, item))


def _judged(item: ReviewItem, verdict: ItemStatus, finding: str | None, round_: int) -> ReviewItem:
    """The item with the verdict of this round; one that has passed stays as it is, whoever says so again."""
    return item if item.status is ItemStatus.PASS else evolve(item, status=verdict, finding=finding, judged=round_)


def _told(before: ReviewItem, after: ReviewItem) -> Node:
    operation = Operation.UNCHANGED if after == before else Operation.UPDATED
    return EntityResult(id=after.id, version=after.version, operation=operation)


def assign_group(review: Review, group: Group, items: Members) -> Result:
    """Put items into a group: those of one group go to one agent."""
    before = [get_qr_item(review, item) for item in items]
    after = review.replace(items, lambda found: evolve(found, group=group))
    changed = any(get_qr_item(after, item.id) != item for item in before)
    operation = Operation.UPDATED if changed else Operation.UNCHANGED
    return after, EntityResult(id=group, version=1, operation=operation)


def get_item(review: Review, item: Item) -> Node:
    """Show an item as JSON."""
    return _shown(get_qr_item(review, item))


def list_items(
    review: Review,
    status: Annotated[ItemStatus | None, Flag(description="only those with this status")] = None,
    group: Annotated[str | None, Flag(rule=check_id, description="only those of this group")] = None,
) -> Node:
    """Show the items as JSON, in their order."""
    found = review.items if status is None else review.of(status)
    return Element("entities", {}, [_shown(item) for item in found if group is None or item.group == group])


def _shown(item: ReviewItem) -> Node:
    text = codec(ReviewItem).dumps(item)
    return Element("entity", {"id": item.id, "version": str(item.version)}, [Code(language="json", text=text)])


def summary(review: Review) -> Node:
    """Count the items by status."""
    counts = {status.lower(): str(len(review.of(status))) for status in ItemStatus}
    told = {"phase": review.phase, "iteration": str(review.iteration), "total": str(len(review.items)), **counts}
    return Element("summary", told)
