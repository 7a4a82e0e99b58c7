"""The review of a phase: its checks and their results."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, Final

from attrs import evolve, field, frozen

from lib.workflow.arguments.parameter import Arg
from lib.workflow.types import AgentRole, Severity
from lib.workflow.util.characters import one_line
from lib.workflow.util.structs import Struct

from ..phase import Phase
from .correction import Correction
from .item_status import ItemStatus as ItemStatus

if TYPE_CHECKING:
    from attrs import Attribute

DIFFERENCE: Final = "difference"
"""The category of an item on changes, which a gate adds to a round."""
MAX_ID: Final = 64


def check_id(value: str) -> None:
    """Raise ValueError for an id that commands cannot list. Ids consist of letters, digits, `-`, `_` and `.`."""
    if not (
        value.isascii() and value.translate(_PUNCTUATION).isalnum() and value[0].isalnum() and len(value) <= MAX_ID
    ):
        raise ValueError(f"{value!r:.80} is not an id; ids look like qa-001: letters, digits, '-', '_', '.'")


_PUNCTUATION: Final = str.maketrans("-_.", "000")


def _id(instance: object, attribute: "Attribute[Any]", value: str | None) -> None:
    if value is not None:
        try:
            check_id(value)
        except ValueError as error:
            raise ValueError(f"{type(instance).__name__}.{attribute.name}: {error}") from None


def _says_something(instance: object, attribute: "Attribute[Any]", value: str | None) -> None:
    if value is not None and not value.strip():
        raise ValueError(f"{type(instance).__name__}.{attribute.name}: must not be blank")


Count = Annotated[int, Arg(min=1)]


@frozen(kw_only=True)
class ReviewItem(Struct):
    """One check. It passes once; a finding says why it failed."""

    id: str = field(validator=_id)
    version: Count = 1
    scope: str = field(validator=one_line)
    """The place to look, in words: `*`, `file:src/auth.py:L10-L50`, `function:validate_token`."""
    check: str = field(validator=_says_something)
    """The condition to verify, which PASS or FAIL can answer."""
    status: ItemStatus = ItemStatus.TODO
    finding: str | None = field(default=None, validator=_says_something)
    evidence: str | None = field(default=None, validator=_says_something)
    """The verifier's basis for a PASS."""
    group: str | None = field(default=None, validator=_id)
    """The group; one agent verifies all its items."""
    severity: Severity | None = None
    category: str | None = field(default=None, validator=one_line)
    judged: Count | None = None
    """The round of its last verdict; None before the first. A check of the project that failed has no round."""
    owner: AgentRole | None = None
    """The role that fixes a FAIL, if it is not the one whose phase is reviewed."""
    corrections: tuple[Correction, ...] = ()
    """Findings that were replaced within their round, in order."""

    def __attrs_post_init__(self) -> None:
        failed = self.status is ItemStatus.FAIL
        if (self.finding is None) is failed:
            raise ValueError("ReviewItem.finding: a FAIL has one, a PASS or TODO has none")
        if self.owner is not None and not failed:
            raise ValueError("ReviewItem.owner: only a FAIL has one")
        if self.judged is None and self.status is ItemStatus.PASS:
            raise ValueError("ReviewItem.judged: a PASS names the round of its verdict")
        if self.judged is not None and self.status is ItemStatus.TODO:
            raise ValueError("ReviewItem.judged: a TODO has no verdict yet")
        if self.evidence is not None and self.status is not ItemStatus.PASS:
            raise ValueError("ReviewItem.evidence: only a PASS has some")


@frozen(kw_only=True)
class Review(Struct):
    """All checks of a phase, and their round."""

    phase: Phase
    iteration: Count
    """The round: 1 at the first verification; the gate counts up when a round has failed."""
    items: tuple[ReviewItem, ...] = field()
    remarks: tuple[str, ...] = ()
    """Reviewers' remarks on words and form. They hold nothing up; the next pages show them."""

    @items.validator
    def _distinct(self, _: object, items: tuple[ReviewItem, ...]) -> None:
        if not items:
            raise ValueError("Review.items: must not be empty; a review needs at least one item")
        seen: set[str] = set()
        for item in items:
            if item.id in seen:
                raise ValueError(f"Review.items: duplicate id {item.id!r}")
            if item.judged is not None and item.judged > self.iteration:
                raise ValueError(
                    f"Review.items: {item.id!r} has a verdict of round {item.judged}, which has not started"
                )
            seen.add(item.id)

    def of(self, *statuses: ItemStatus) -> tuple[ReviewItem, ...]:
        """Return the items with one of these statuses."""
        return tuple(item for item in self.items if item.status in statuses)

    def replace(self, ids: Iterable[str], by: Callable[[ReviewItem], ReviewItem]) -> "Review":
        """Return the review with those items changed by the function. An item that differs gets the next version."""
        chosen = frozenset(ids)
        return evolve(self, items=tuple(_next(item, by(item)) if item.id in chosen else item for item in self.items))


def _next(before: ReviewItem, after: ReviewItem) -> ReviewItem:
    return before if after == before else evolve(after, version=before.version + 1)
