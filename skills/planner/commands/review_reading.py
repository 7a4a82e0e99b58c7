"""Commands that read a review: its items, and their number by status."""

from collections.abc import Iterable, Iterator
from typing import Annotated

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Code, Element
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.codec import codec
from lib.workflow.render.writer import bullet
from lib.workflow.util.characters import broken
from lib.workflow.util.documents import with_schema

from ..schema.review.document import ItemStatus, Review, ReviewItem, check_id
from ..state.reviews import get_qr_item
from .review import Item

AsJson = Annotated[bool, Flag(description="print JSON, with all fields")]


def get_item(review: Review, item: Item, json: AsJson = False) -> Node:
    """Show an item."""
    found = get_qr_item(review, item)
    return Code(language="json", text=codec(ReviewItem).dumps(found)) if json else _markdown([found])


def list_items(
    review: Review,
    status: Annotated[ItemStatus | None, Flag(description="list only items with this status")] = None,
    group: Annotated[str | None, Flag(rule=check_id, description="list only items of this group")] = None,
    json: AsJson = False,
) -> Node:
    """Show the items, in their order."""
    found = [item for item in review.items if status in (None, item.status) and group in (None, item.group)]
    if not json:
        return _markdown(found)

    items = ",\n".join(codec(ReviewItem).dumps(item) for item in found)
    return Code(language="json", text=with_schema(f'{{"items": [{items}]}}'))


def _markdown(items: Iterable[ReviewItem]) -> Node:
    return Code(language="markdown", text="\n".join(line for item in items for line in _lines(item)))


def _lines(item: ReviewItem) -> Iterator[str]:
    """Yield a heading with id and status, then the texts. The severity is left out because it would bias a verdict."""
    about = filter(None, (item.status, f"scope {item.scope}", item.category, item.group and f"group {item.group}"))
    yield f"## {item.id} {', '.join(about)}"
    yield bullet(broken(f"check: {item.check}"))
    for label, text in (("finding", item.finding), ("evidence", item.evidence)):
        if text is not None:
            yield bullet(broken(f"{label}: {text}"))


def summary(review: Review) -> Node:
    """Count the items by status."""
    counts = {status.lower(): str(len(review.of(status))) for status in ItemStatus}
    attributes = {"phase": review.phase, "iteration": str(review.iteration), "total": str(len(review.items)), **counts}
    return Element("summary", attributes)
