"""The review of a phase: taken apart into items by one agent, verified item by item by many."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.ast.declare import Node
from lib.workflow.ast.nodes import Element
from lib.workflow.command import Command
from lib.workflow.core import Arg, Handler, Outcome, RefusedError, State, StepContext, UsageError, Workflow
from lib.workflow.suggest import expected

from ..execution.waves import files_of
from ..limits import MAX_FINDING_SENTENCES
from ..phases import EXECUTING, Part, Row
from ..schema.review import ItemStatus, Review, ReviewItem
from ..state.reviews import get_qr_item, load_qr_state
from ..state.run_state import state_of
from ..texts import categories, for_phase
from .slots import Fact, Where, passage
from .steps import Going, StateDir, start, step, workflow
from .wave_slots import TAGS, WAVE_FACTS, check_building, milestones_of

MAX_ITEMS: Final = 1000
"""Of a batch; a review has fewer."""
MAX_NAMED: Final = 20
"""Files that a sentence names."""
FIRST: Final = "absorb"
LAST: Final = "finalize"
VERIFY: Final = "verify"
REPLY: Final = "reply"

Items: TypeAlias = Annotated[
    str,
    Arg(
        description="the ids of a batch, divided by commas; by default all that have not passed",
        samples=("qa-001,qa-002",),
    ),
]
Item: TypeAlias = Annotated[
    str, Arg(description="the item at hand; by default the first of the batch", samples=("qa-001",))
]


def decompose(row: Row) -> Workflow:
    """Eight steps; a review that has begun is not taken apart again (002, "Iteration as Single Source of Truth")."""

    def begin(context: StepContext, state_dir: StateDir) -> tuple[Literal[Outcome.OK, Outcome.SKIP], State]:
        return (Outcome.SKIP if load_qr_state(state_dir, row.phase) else Outcome.OK), {}

    def finish(context: StepContext) -> Going:
        _review(row, context)
        return Outcome.OK, {}

    prompts = for_phase("decompose", row.phase)
    following = [*prompts, None][1:]
    handlers: Mapping[str, Handler] = {FIRST: begin, LAST: finish}
    steps = [
        step(
            row,
            Part.DECOMPOSE,
            name,
            prompt,
            handlers.get(name),
            {Outcome.OK: after} | ({Outcome.SKIP: LAST} if name == FIRST else {}),
            DECOMPOSING,
        )
        for (name, prompt), after in zip(prompts.items(), following, strict=True)
    ]
    return workflow(row, Part.DECOMPOSE, f"The review of {row.phase}, taken apart into items.", steps, ("reply", *TAGS))


def verify(row: Row) -> Workflow:
    """One page an item, and the reply: `--qr-items` is the batch, `--qr-item` the page (002, "QR verify arguments")."""

    def page(
        context: StepContext, state_dir: StateDir, qr_items: Items | None = None, qr_item: Item | None = None
    ) -> tuple[Literal[Outcome.OK, Outcome.ITERATE], State]:
        batch, item = assigned(_review(row, context), context)
        rest = batch[batch.index(item) + 1 :]
        if rest:
            return Outcome.ITERATE, {"qr_items": ",".join(batch), "qr_item": rest[0]}
        return Outcome.OK, {"qr_items": ",".join(batch)}

    def reply(context: StepContext, qr_items: Items | None = None) -> Going:
        review = _review(row, context)
        for name in assigned(review, context)[0]:
            item = get_qr_item(review, name)
            if item.status is not ItemStatus.PASS and item.judged != review.iteration:
                what = f"it has no verdict of round {review.iteration}"
                raise RefusedError("no-verdict", name, what, "Judge it first.", _page(row, context, name))
        return Outcome.OK, {}

    prompts = for_phase("verify", row.phase)
    next_ = {Outcome.OK: REPLY, Outcome.ITERATE: VERIFY}
    steps = [
        step(row, Part.VERIFY, VERIFY, prompts[VERIFY], page, next_, VERIFYING, MAX_ITEMS),
        step(row, Part.VERIFY, REPLY, prompts[REPLY], reply, {Outcome.OK: None}, VERIFYING),
    ]
    return workflow(row, Part.VERIFY, f"The verification of items of the review of {row.phase}.", steps)


def _review(row: Row, context: StepContext) -> Review:
    review = load_qr_state(state_of(context).state_dir, row.phase)
    if review is None:
        what = "no review of it has begun"
        raise RefusedError("no-review", row.phase, what, "Take it apart first.", start(row, Part.DECOMPOSE, context))
    return review


def assigned(review: Review, context: StepContext) -> tuple[tuple[str, ...], str]:
    """The batch, and the item at hand. Raises UsageError for an id that the review, or the batch, does not have."""
    items, item = (context.step_state.get(name) for name in ("qr_items", "qr_item"))
    open_ = review.of(ItemStatus.TODO, ItemStatus.FAIL) or review.items
    if items is not None:
        batch = tuple(dict.fromkeys(str(items).split(",")))
    else:
        batch = (str(item),) if item is not None else tuple(each.id for each in open_)
    known = [each.id for each in review.items]
    for name in batch:
        if name not in known:
            raise UsageError(f"--qr-items: {name!r:.60} is no item of this review; {expected(name, known)}")
    current = batch[0] if item is None else str(item)
    if current not in batch:
        raise UsageError(f"--qr-item: {current!r:.60} is not in the batch; {expected(current, batch)}")
    return batch, current


def _page(row: Row, context: StepContext, item: str) -> Command:
    command = start(row, Part.VERIFY, context)
    return Command(command.module, (*command.words, "--qr-item", item))


def _dispatch(where: Where) -> Node:
    from ..review.batches import verification
    from .brief import brief

    review = _review(where.row, where.context)
    found = verification(where.state.state_dir, where.row, review, prompt=brief(where.state))
    return Element("reply", {}, [found])  # for the orchestrator: this agent launches nobody


def _item(where: Where) -> ReviewItem:
    review = _review(where.row, where.context)
    return get_qr_item(review, assigned(review, where.context)[1])


def _position(where: Where) -> str:
    batch, item = assigned(_review(where.row, where.context), where.context)
    return f"{batch.index(item) + 1} of {len(batch)}"


def _finding_file(where: Where) -> str:
    return where.state.path(f"finding-{where.row.phase}-{_item(where).id}.txt")


def _told(where: Where) -> str:
    """The item in lines: its check and scope, and the case of an earlier round where there is one."""
    item = _item(where)
    case = (
        [] if item.finding is None else [f"In an earlier round this case was put to it; put it again: {item.finding}"]
    )
    return "\n".join((item.check, f"Scope: {item.scope}", *case))


def _begun(where: Where) -> str:
    if load_qr_state(where.state.state_dir, where.row.phase) is None:
        return "No review of this phase has begun: this page is your work."
    return "A review has begun, and its items stand for all rounds: run the command below and do nothing else here."


def _guidance(where: Where) -> tuple[Node, ...]:
    """How an item of its category is verified."""
    return passage(categories(where.row.phase).get(_item(where).category or "", ""), where, WAVE_FACTS)


def _verdict(where: Where) -> str:
    review = _review(where.row, where.context)
    items = [get_qr_item(review, name) for name in assigned(review, where.context)[0]]
    failed = [item.id for item in items if item.status is not ItemStatus.PASS]
    return f"FAIL: {', '.join(failed)}" if failed else "PASS"


def _written(where: Where) -> str:
    """What the phase has written, and where that is read."""
    if where.row not in EXECUTING:
        return f"in it what {where.row.phase} has written"
    wave = check_building(where.state, where.row.phase).wave
    files = ", ".join(files_of(milestones_of(where))[:MAX_NAMED])
    return f"the files of {wave} as they are now, under {where.state.run.project_root}: {files}"


def _counted(where: Where) -> str:
    """With which rows of the plan's list the elements are compared."""
    if where.row not in EXECUTING:
        return "the list"
    return (
        f"the rows of the list that belong to {', '.join(each.id for each in milestones_of(where))}, and with no others"
    )


DECOMPOSING: Final[Mapping[str, Fact]] = {
    **WAVE_FACTS,
    "written": _written,
    "counted": _counted,
    "categories": lambda where: "\n".join(f"- {name}" for name in categories(where.row.phase)),
    "dispatch": _dispatch,
    "begun": _begun,
}
VERIFYING: Final[Mapping[str, Fact]] = {
    "item_id": lambda where: _item(where).id,
    "item": _told,
    "category_guidance": _guidance,
    "record_pass": lambda where: where.qr("update-item", _item(where).id, "--status", "PASS"),
    "record_fail": lambda where: where.qr(
        "update-item", _item(where).id, "--status", "FAIL", "--finding-file", _finding_file(where)
    ),
    "finding_file": _finding_file,
    "max_finding_sentences": lambda where: MAX_FINDING_SENTENCES,
    "position": _position,
    "verdict_line": _verdict,
}
