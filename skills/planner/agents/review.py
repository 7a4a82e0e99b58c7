"""Review of a phase: one agent splits it into items, others verify them, with a page and a command for each."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Element, Text
from lib.workflow.core import Arg, Handler, Outcome, RefusedError, State, StepContext, UsageError, Workflow
from lib.workflow.util.suggest import expected

from ..limits import MAX_FINDING_SENTENCES, MAX_GROUP
from ..phases import EXECUTING, PhaseScript, PhaseSpec
from ..schema.plan.milestone import Milestone
from ..schema.review.document import DIFFERENCE, ItemStatus, Review, ReviewItem
from ..state.reviews import get_qr_item, load_qr_state
from ..state.run_state import state_of
from ..texts import categories, for_phase, sections
from .elements import compound, elements_of, uncovered
from .slots import SlotContext, SlotResolver, passage
from .steps import Going, StateDir, start, step, workflow
from .wave_slots import TAGS, WAVE_FACTS, milestones_of

FIRST: Final = "absorb"
ITEMS: Final = "items"
LAST: Final = "finalize"
VERIFY: Final = "verify"
PLANNED: Final = "reply"
"""The element that holds a dispatch whose reader launches nobody."""
NOTHING: Final = "Nothing here: go on."

Items: TypeAlias = Annotated[
    str,
    Arg(
        description="the ids of a batch, separated by commas (default: all that have not passed)",
        samples=("qa-001,qa-002",),
    ),
]
Item: TypeAlias = Annotated[str, Arg(description="the id of a single item", samples=("qa-001",))]


def decompose(row: PhaseSpec) -> Workflow:
    """Return a workflow of eight steps. Items are added until the first verdict; later rounds judge the same ones."""

    def begin(context: StepContext, state_dir: StateDir) -> tuple[Literal[Outcome.OK, Outcome.SKIP], State]:
        review = load_qr_state(state_dir, row.phase)
        judged = review is not None and any(item.judged for item in review.items)
        return (Outcome.SKIP if judged else Outcome.OK), {}

    def after_items(context: StepContext) -> Going:
        _review(row, context)
        return Outcome.OK, {}

    prompts = for_phase("decompose", row.phase)
    names = [*prompts]
    checked = dict.fromkeys(names[names.index(ITEMS) + 1 :], after_items)
    handlers: Mapping[str, Handler] = {FIRST: begin, **checked}
    steps = [
        step(
            row,
            PhaseScript.DECOMPOSE,
            name,
            prompt,
            handlers.get(name),
            {Outcome.OK: after} | ({Outcome.SKIP: LAST} if name == FIRST else {}),
            DECOMPOSING,
        )
        for (name, prompt), after in zip(prompts.items(), [*names[1:], None], strict=True)
    ]
    return workflow(
        row, PhaseScript.DECOMPOSE, f"The review of {row.phase}, split into items.", steps, (PLANNED, *TAGS)
    )


def verify(row: PhaseSpec) -> Workflow:
    """Return a workflow with one page for all items of a batch, and one command for their verdicts."""

    def page(
        context: StepContext, state_dir: StateDir, qr_items: Items | None = None, qr_item: Item | None = None
    ) -> Going:
        assigned(_review(row, context), context)
        return Outcome.OK, {}

    prompt = sections("verify")[VERIFY]
    steps = [step(row, PhaseScript.VERIFY, VERIFY, prompt, page, {Outcome.OK: None}, VERIFYING)]
    return workflow(row, PhaseScript.VERIFY, f"The verification of items of the review of {row.phase}.", steps, TAGS)


def _review(row: PhaseSpec, context: StepContext) -> Review:
    review = load_qr_state(state_of(context).state_dir, row.phase)
    if review is None:
        what = "its review has not started"
        raise RefusedError(
            "no-review", row.phase, what, "Write its items first.", start(row, PhaseScript.DECOMPOSE, context)
        )
    return review


def assigned(review: Review, context: StepContext) -> tuple[str, ...]:
    """Return the ids of the batch. Raises UsageError for an id that the review does not have."""
    items, item = (context.step_state.get(name) for name in ("qr_items", "qr_item"))
    open_ = review.of(ItemStatus.TODO, ItemStatus.FAIL) or review.items
    given = str(items).split(",") if items is not None else [str(item)] if item is not None else None
    batch = tuple(dict.fromkeys(given)) if given else tuple(each.id for each in open_)
    known = [each.id for each in review.items]
    for name in batch:
        if name not in known:
            flag = "--qr-items" if items is not None else "--qr-item"
            raise UsageError(f"{flag}: {name!r:.60} is not an item of this review; {expected(name, known)}")
    return batch


def _batch(where: SlotContext) -> tuple[ReviewItem, ...]:
    review = _review(where.row, where.context)
    return tuple(get_qr_item(review, name) for name in assigned(review, where.context))


def _dispatch(where: SlotContext) -> Node:
    """Return the dispatch of the verifiers, for programs. The orchestrator's next step prints finished commands."""
    from ..review.batches import verification

    found = verification(where.state.state_dir, where.row, _review(where.row, where.context))
    return Element(PLANNED, {}, [found])


def _items(where: SlotContext) -> tuple[Node, ...]:
    """Return the items of the batch, then one line of guidance for each of their categories."""
    batch = _batch(where)
    cases = where.state.run.contested(where.row.phase, _review(where.row, where.context).iteration)
    shown: list[Node] = [_shown(item, cases.get(item.id)) for item in batch]
    guidance = categories(where.row.phase)
    for name in dict.fromkeys(item.category for item in batch if item.category in guidance):
        text = " ".join(guidance[str(name)].split("\n"))
        shown.extend(passage(f"- {name}: {text}", where, WAVE_FACTS))
    return tuple(shown)


def _shown(item: ReviewItem, case: str | None) -> Element:
    """Return an item with its author's case against an earlier finding."""
    content: list[Node] = [Text(item.check)]
    if case is not None:
        content.append(Element("contested", {}, case))
    return Element("item", {"id": item.id, "scope": item.scope, "category": item.category}, content)


def _ground(where: SlotContext) -> tuple[Node, ...]:
    """Return the sources that the verifier reads and runs in this phase, and in this round."""
    if where.state.run.is_light:
        texts = [sections("light")["review-code" if where.row in EXECUTING else "review-design"].text]
    else:
        texts = [sections(where.row.phase)["ground"].text]
    if _has_difference(_review(where.row, where.context)):
        texts.append(sections("verify")["again"].text)
    return passage("\n\n".join(texts), where, WAVE_FACTS)


def _has_difference(review: Review) -> bool:
    """Return True if a gate has added an item on the changes since a round."""
    return any(item.category == DIFFERENCE for item in review.items)


def _planned(where: SlotContext) -> tuple[Milestone, ...]:
    """Return all milestones while planning; while executing, those of the wave."""
    return milestones_of(where) if where.row in EXECUTING else where.state.plan.milestones


def _elements(where: SlotContext) -> str:
    return "\n".join(each.line for each in elements_of(where.row, where.state.plan, _planned(where)))


def _uncovered(where: SlotContext) -> str:
    left = uncovered(elements_of(where.row, where.state.plan, _planned(where)), _review(where.row, where.context))
    return "\n".join(each.line for each in left) or NOTHING


def _compound(where: SlotContext) -> str:
    found = compound(_review(where.row, where.context))
    return "\n".join(f"- {item.id}: {item.check}" for item in found) or NOTHING


def _create(where: SlotContext) -> str:
    return f"{where.qr('create', '--items-file', '-')} <<'END'"


FINDING: Final = "Not logged (src/api.py:31): the 11th call of a second leaves no line"
"""Sample of a finding: the condition, its place and a case."""
NEW: Final = (
    '  {"id": "new-1", "status": "FAIL", "scope": "M-001", "check": "handle(None) is served", '
    '"finding": "src/api.py:12: it raises"},'
)
REMARK: Final = '  {"id": "remark-1", "status": "REMARK", "finding": "docs/api.md:3 is unclear"}'


def _record(where: SlotContext) -> str:
    ids = [item.id for item in _batch(where)]
    first, last = ids[0], ids[-1]
    return "\n".join(
        [
            f"{where.qr('record', '--of', ','.join(ids), '-')} <<'END'",
            "[",
            f'  {{"id": "{first}", "status": "PASS", "evidence": "pytest -q: 12 passed"}},',
            f'  {{"id": "{last}", "status": "FAIL", "finding": "{FINDING}"}},',
            NEW,
            REMARK,
            "]",
            "END",
        ]
    )


DECOMPOSING: Final[Mapping[str, SlotResolver]] = {
    **WAVE_FACTS,
    "elements": _elements,
    "uncovered": _uncovered,
    "compound": _compound,
    "create": _create,
    "dispatch": _dispatch,
    "sample": lambda where: sections(where.row.phase)["sample"].text,
    "group_limit": lambda where: MAX_GROUP,
    "item_count": lambda where: len(_review(where.row, where.context).items),
    "categories": lambda where: ", ".join(categories(where.row.phase)),
}
VERIFYING: Final[Mapping[str, SlotResolver]] = {
    **WAVE_FACTS,
    "ground": _ground,
    "items": _items,
    "record": _record,
    "max_finding_sentences": lambda where: MAX_FINDING_SENTENCES,
}
