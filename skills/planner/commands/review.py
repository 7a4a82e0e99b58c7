"""Commands on a review, as pure functions of the review and a request; and the creation of a review."""

from typing import Annotated, Final, NamedTuple, TypeAlias

from attrs import evolve

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Document, Element
from lib.workflow.ast.results import EntityResult, Operation
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.cli.table.requests import RequestError
from lib.workflow.errors import RefusedError
from lib.workflow.state.store import Store
from lib.workflow.types import AgentRole
from lib.workflow.util.suggest import expected

from ..phases import ROWS, row_of
from ..review.verdicts import Judgement, judge
from ..schema.phase import Phase
from ..schema.review.document import ItemStatus, Review, ReviewItem, check_id
from ..state.files import run_store
from ..state.reviews import check_handed_in, get_qr_item, open_review

Item: TypeAlias = Annotated[str, Flag(positional=True, rule=check_id, description="the item's id")]
Group: TypeAlias = Annotated[str, Flag(positional=True, rule=check_id, description="a name that its items share")]
Members: TypeAlias = Annotated[tuple[str, ...], Flag(each="item", rule=check_id, description="the id of an item")]
Verdict: TypeAlias = Annotated[str, Flag(choices=("PASS", "FAIL"), description="the result of the check")]
Finding: TypeAlias = Annotated[
    str | None, Flag(long=True, description="the reason for a FAIL; required for FAIL, not allowed for PASS")
]
Owner: TypeAlias = Annotated[
    str | None,
    Flag(
        choices=tuple(dict.fromkeys(row.role for row in ROWS)),
        description="the role that fixes it (default: the role of the phase)",
    ),
]
Why: TypeAlias = Annotated[
    str | None,
    Flag(long=True, description="the reason for replacing the finding of this round; both are kept"),
]
Items: TypeAlias = Annotated[
    tuple[ReviewItem, ...], Flag(description="a list of objects: id, scope, check; also group, severity, category")
]
Result: TypeAlias = tuple[Review, Node]
NOTE: Final = "note"
NEW: Final = "new-"
"""The prefix of an item's id that a verifier adds."""


class Opened(NamedTuple):
    """The phase and its review that the options of the command line name."""

    phase: Phase
    store: Store[Review]
    state_dir: str


def opened(
    state_dir: Annotated[str, Flag(description="the folder of the run's state files", path=True)],
    qr_phase: Annotated[Phase, Flag(description="the phase of the review")],
) -> Opened:
    """Return the review that the options name."""
    return Opened(qr_phase, open_review(state_dir, qr_phase), state_dir)


def create(review: Opened, items: Items) -> Node:
    """Write the items of a review.

    Until the first verdict, new items are added, and an item with the id of an earlier one replaces it. The reply names
    the items of each group.
    """
    for item in items:
        if item.status is not ItemStatus.TODO or item.version != 1 or item.corrections:
            raise RequestError("{items}: {id}: items start as TODO; leave status, finding and version out", id=item.id)
    _check_categories(review.phase, items)
    _check_ids(items)
    check_handed_in(run_store(review.state_dir).load(), review.phase, 1)
    try:
        first = Review(phase=review.phase, iteration=1, items=(*items, *_reaching_back(review)))
    except ValueError as error:
        raise RequestError("{items}: {problem}", problem=str(error)) from None
    operation = Operation.CREATED
    if not review.store.create(first, same=lambda _: True):
        operation = review.store.change(lambda found: _extended(found, items))
    result = EntityResult(id=f"qr-{review.phase}", version=1, operation=operation)
    return Document([result, Element(NOTE, {}, _grouped(review.store.load().items))])


def _extended(found: Review, items: tuple[ReviewItem, ...]) -> tuple[Review, Operation]:
    """Return the review with these items. Raises RefusedError for different items once one has a verdict."""
    given = {item.id: item for item in items}
    after = tuple(_replaced(item, given.pop(item.id, item)) for item in found.items)
    if after == found.items and not given:
        return found, Operation.UNCHANGED
    if found.iteration > 1 or any(item.status is not ItemStatus.TODO for item in found.items):
        fix = f"leave the items as they are; a verifier adds what is missing: record, with an id such as {NEW}1"
        raise RefusedError("state-exists", found.phase, "its review already has verdicts", fix)
    return evolve(found, items=(*after, *given.values())), Operation.UPDATED


def _replaced(before: ReviewItem, item: ReviewItem) -> ReviewItem:
    """Return the item that replaces the one with its id. The group stays unless another is named."""
    same = evolve(before, scope=item.scope, check=item.check, severity=item.severity, category=item.category)
    after = evolve(same, group=item.group or before.group)
    return before if after == before else evolve(after, version=before.version + 1)


def _grouped(items: tuple[ReviewItem, ...]) -> str:
    """Return the ids of the items by group, as text."""
    groups: dict[str, list[str]] = {}
    for item in items:
        groups.setdefault(item.group or "no group", []).append(item.id)
    return "; ".join(f"{name} ({len(ids)}): {', '.join(ids)}" for name, ids in groups.items())


def _reaching_back(review: Opened) -> tuple[ReviewItem, ...]:
    """Return the item about the hand-in's changes to work that earlier phases have passed, if there are any."""
    from ..review.difference import item, reaches_back  # only a new review pays for this import
    from ..state.run_state import RunState

    changed = reaches_back(RunState(review.state_dir), row_of(review.phase))
    return (item(1),) if changed else ()


def _check_ids(items: tuple[ReviewItem, ...]) -> None:
    """Refuse the ids that are reserved for the items that gates add."""
    from ..review.difference import ITEM, round_of_item

    for each in items:
        if round_of_item(each.id) is not None:
            raise RequestError(
                "{items}: {id}: ids that start with {mark} are reserved for the gate; choose another id",
                id=each.id,
                mark=ITEM,
            )


def _check_categories(phase: Phase, items: tuple[ReviewItem, ...]) -> None:
    """Refuse a category for which the phase's verifiers have no guidance."""
    from ..texts import categories  # only a new review pays for this import

    known = categories(phase)
    for item in items:
        if item.category is not None and item.category not in known:
            said = {"id": item.id, "name": f"{item.category!r:.60}", "hint": expected(item.category, known)}
            raise RequestError("{items}: {id}: {name} is not a category of this phase; {hint}", **said)


def update_item(
    review: Review, item: Item, status: Verdict, finding: Finding = None, owner: Owner = None, correction: Why = None
) -> Result:
    """Record the verdict on an item.

    A PASS is final. A FAIL stays one until the next round; a second finding in one round needs a correction.
    """
    verdict = ItemStatus(status)
    if verdict is ItemStatus.FAIL and finding is None:
        raise RequestError("{status} FAIL needs {finding}: name the fault and its place")
    if verdict is ItemStatus.PASS and (finding, owner, correction) != (None, None, None):
        raise RequestError(
            "{finding}, {owner} and {correction} are for FAIL; record a fault as FAIL, or leave them out"
        )
    role = AgentRole(owner) if owner else None
    after = judge(review, Judgement(item=item, status=verdict, finding=finding, owner=role, correction=correction))
    return after, _told(get_qr_item(review, item), get_qr_item(after, item))


def _told(before: ReviewItem, after: ReviewItem) -> Node:
    operation = Operation.UNCHANGED if after == before else Operation.UPDATED
    return EntityResult(id=after.id, version=after.version, operation=operation)


def assign_group(review: Review, group: Group, items: Members) -> Result:
    """Put items into a group. One agent verifies all items of a group."""
    before = [get_qr_item(review, item) for item in items]
    after = review.replace(items, lambda found: evolve(found, group=group))
    changed = any(get_qr_item(after, item.id) != item for item in before)
    operation = Operation.UPDATED if changed else Operation.UNCHANGED
    return after, EntityResult(id=group, version=1, operation=operation)
