"""The verdicts of one verifier, all in one command."""

from typing import Annotated, Final, TypeAlias

from attrs import evolve, field, frozen

from lib.workflow.arguments.parameter import Arg
from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Code
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.cli.table.requests import RequestError
from lib.workflow.errors import RefusedError
from lib.workflow.types import AgentRole, Severity
from lib.workflow.util.characters import one_line
from lib.workflow.util.structs import Struct
from lib.workflow.util.suggest import repeated

from ..schema.review.document import ItemStatus, Review, ReviewItem
from ..schema.values import text
from ..state.reviews import get_qr_item
from .review import NEW, update_item

REMARK: Final = "REMARK"
"""The status of what a reviewer says of words and form."""
REMARKED: Final = "remark-"
"""Beginning of the id of a remark."""
SERIES: Final = "qa-"
"""The prefix of ids of numbered items."""


@frozen(kw_only=True)
class Recorded(Struct):
    """The verdict on one item, or a fault that no item asks about.

    Raises ValueError for a FAIL without a finding, a PASS with one, and a new item without scope and check.
    """

    id: str = field(validator=one_line)
    """Of an item of the review; `new-1` for one that the verifier adds."""
    status: Annotated[str, Arg(choices=("PASS", "FAIL", REMARK))]
    finding: str | None = field(default=None, validator=text)
    """The fault and its place, for a FAIL or a remark."""
    evidence: str | None = field(default=None, validator=text)
    """The observation that settles it; only for a PASS."""
    scope: str | None = field(default=None, validator=one_line)
    """Only for a new item."""
    check: str | None = field(default=None, validator=text)
    """Only for a new item."""
    severity: Severity | None = None
    """Only for a new item."""
    owner: AgentRole | None = None
    """The role that fixes a FAIL, if it is not the phase's role."""
    correction: str | None = field(default=None, validator=text)
    """The reason why a finding of this round is replaced."""

    def __attrs_post_init__(self) -> None:
        failed = self.status == ItemStatus.FAIL
        if self.status == REMARK:
            if self.finding is None or not self.id.startswith(REMARKED):
                raise ValueError(f"{self.id}: a remark has a finding, and an id such as {REMARKED}1")
            return
        if failed and self.finding is None:
            raise ValueError(f"{self.id}: a FAIL needs a finding: name the fault and its place")
        if (self.evidence if failed else self.finding) is not None:
            raise ValueError(f"{self.id}: a finding is for FAIL, evidence for PASS")
        texts = (self.scope, self.check, self.severity)
        if self.is_new and (not failed or self.scope is None or self.check is None):
            raise ValueError(f"{self.id}: a new item is a FAIL with scope, check and finding")
        if not self.is_new and texts != (None, None, None):
            raise ValueError(f"{self.id}: scope, check and severity are for a new item, such as {NEW}1")

    @property
    def is_new(self) -> bool:
        """Return True if the verdict adds an item."""
        return self.id.startswith(NEW)


Verdicts: TypeAlias = Annotated[
    tuple[Recorded, ...],
    Flag(positional=True, description="a list of objects: id, status, and finding (FAIL) or evidence (PASS)"),
]


def record(
    review: Review,
    verdicts: Verdicts,
    of: Annotated[str | None, Flag(description="the ids of a batch, separated by commas; each needs a verdict")] = None,
) -> tuple[Review, Node]:
    """Record the verdicts of a round, all or none.

    A real fault that no item asks about is a FAIL with an id such as `new-1`, a scope and a check: it becomes an item.
    A remark (`remark-1`, with the status REMARK) is about words and form: it is kept, and holds nothing up.
    The reply is PASS, or FAIL with the ids of the items that failed.
    """
    for name in repeated(each.id for each in verdicts):
        raise RequestError("{verdicts}: {id} has two verdicts; give one", id=name)
    if not verdicts:
        raise RequestError("{verdicts}: the list is empty; give a verdict for each item")
    _check_batch(review, verdicts, of.split(",") if of else [])
    failed: list[str] = []
    refused: list[RefusedError] = []
    after = review
    for each in verdicts:
        try:
            after, name = _recorded(after, each)
        except RefusedError as error:
            refused.append(error)
            continue
        failed += [name] if each.status == ItemStatus.FAIL else []
    if refused:
        raise _all(refused)
    return after, Code(text=f"FAIL: {', '.join(failed)}" if failed else "PASS")


def _check_batch(review: Review, verdicts: "tuple[Recorded, ...]", batch: list[str]) -> None:
    """Raises RefusedError for an item of the batch that has no verdict of this round, here or on record."""
    judged = {item.id for item in review.items if item.judged == review.iteration}
    left = [name for name in batch if name not in judged and name not in {each.id for each in verdicts}]
    if left:
        what = f"no verdict for {', '.join(left)}"
        raise RefusedError("incomplete", review.phase, what, "send one for each item of the batch, with one command")


def _recorded(review: Review, verdict: Recorded) -> tuple[Review, str]:
    """The review with one verdict, and the id of its item."""
    if verdict.status == REMARK:
        known = (*review.remarks, verdict.finding or "")
        return evolve(review, remarks=tuple(dict.fromkeys(known))), verdict.id
    if not verdict.is_new:
        after, _ = update_item(review, verdict.id, verdict.status, verdict.finding, verdict.owner, verdict.correction)
        judged = get_qr_item(review, verdict.id) != get_qr_item(after, verdict.id)
        return (_with_evidence(after, verdict) if judged else after), verdict.id
    assert verdict.scope is not None  # a new item has both
    assert verdict.check is not None
    for item in review.items:
        if (item.scope, item.check, item.finding) == (verdict.scope, verdict.check, verdict.finding):
            return review, item.id  # the same command again
    made = ReviewItem(
        id=_next(review),
        scope=verdict.scope,
        check=verdict.check,
        status=ItemStatus.FAIL,
        finding=verdict.finding,
        severity=verdict.severity,
        owner=verdict.owner,
        judged=review.iteration,
    )
    return evolve(review, items=(*review.items, made)), made.id


def _with_evidence(review: Review, verdict: Recorded) -> Review:
    return review.replace((verdict.id,), lambda item: evolve(item, evidence=verdict.evidence))


def _next(review: Review) -> str:
    """Return the id after the highest of the series."""
    numbers = [item.id.removeprefix(SERIES) for item in review.items if item.id.startswith(SERIES)]
    return f"{SERIES}{max((int(each) for each in numbers if each.isdecimal()), default=0) + 1:03d}"


def _all(refused: list[RefusedError]) -> RefusedError:
    """Return one refusal for all verdicts that cannot be recorded."""
    if len(refused) == 1:
        return refused[0]
    lines = [f"{each.target}: {each}; {each.fix}" for each in refused]
    targets = ", ".join(each.target for each in refused)
    return RefusedError(
        refused[0].code, targets, "\n".join(lines), "nothing was recorded; correct these and send all again"
    )
