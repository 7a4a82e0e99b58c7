"""States in which each of the planner's steps can be tried: what a run holds when the step is due."""

from collections.abc import Callable
from typing import Final

from attrs import evolve

from lib.workflow.core import Workflow

from .commands.beginning import init
from .commands.context import freeze_context, set_context
from .due import STEPS, Block, step_id
from .limits import MAX_ROUNDS
from .phases import PLANNING, ROWS, Part, Row
from .schema.context import ContextField
from .schema.review import ItemStatus, Review, ReviewItem
from .schema.run import PassedGate, Run, Submission
from .state.files import run_store
from .state.reviews import review_store

TASK: Final = "add rate limiting"
ENTRIES: Final = {
    ContextField.TASK_SPEC: ("Limit each caller's requests", "out-of-scope: billing"),
    ContextField.CONSTRAINTS: ("MUST: no new service (user-specified)",),
    ContextField.ENTRY_POINTS: ("src/api.py:handle - every request passes it",),
}
ITEMS: Final = 20
"""Of a review."""
GROUPS: Final = ("scope", "risk", "waves", "files", "overview")
DIGEST: Final = "0" * 64


def stage(workflow: Workflow, step: str, state_dir: str) -> None:
    """Fills an empty state directory for a step of one of the planner's workflows: the run has always begun."""
    init(state_dir, TASK, project_root=state_dir)
    if step in STEPS[:2]:
        return
    for name in ContextField:
        set_context(state_dir, name, ENTRIES.get(name, ()))
    freeze_context(state_dir)
    for row in PLANNING:
        for block in Block:
            if step == step_id(row, block):
                _orchestrated(state_dir, row, block)
    for row in ROWS:
        for part in Part:
            if workflow.module == row.module(part):
                _scripted(state_dir, row, part, step)


def _orchestrated(state_dir: str, row: Row, block: Block) -> None:
    _passed(state_dir, *PLANNING[: PLANNING.index(row)])
    if block is Block.WORK:
        return
    _submitted(state_dir, row, 1)
    if block is Block.VERIFY:
        review_store(state_dir, row.phase).create(_review(row, 1))
    if block is Block.ROUTE:  # at the last round: every way on is open there
        _submitted(state_dir, row, MAX_ROUNDS)
        review_store(state_dir, row.phase).create(_review(row, MAX_ROUNDS, judged=True))


def _scripted(state_dir: str, row: Row, part: Part, step: str) -> None:
    _passed(state_dir, *ROWS[: ROWS.index(row)])
    if part is Part.FIX:
        review_store(state_dir, row.phase).create(_review(row, 2, judged_in=1))
    if part is Part.VERIFY or step == "finalize":
        review_store(state_dir, row.phase).create(_review(row, 1, judged=step == "reply"))


def _review(row: Row, iteration: int, judged: bool = False, judged_in: int | None = None) -> Review:
    round_ = iteration if judged else judged_in
    items = [
        ReviewItem(
            id=f"qa-{number:03d}",
            scope="*",
            check="Each milestone names its files",
            group=GROUPS[number % len(GROUPS)],
            status=ItemStatus.FAIL if round_ else ItemStatus.TODO,
            finding="M-001 names none" if round_ else None,
            judged=round_,
        )
        for number in range(1, ITEMS + 1)
    ]
    return Review(phase=row.phase, iteration=iteration, items=tuple(items))


def _passed(state_dir: str, *rows: Row) -> None:
    gates = tuple(PassedGate(phase=row.phase, plan_digest=DIGEST) for row in rows)
    _change(state_dir, lambda run: evolve(run, gates=gates))


def _submitted(state_dir: str, row: Row, iteration: int) -> None:
    more = Submission(phase=row.phase, iteration=iteration)
    _change(state_dir, lambda run: evolve(run, submissions=(*run.submissions, more)))


def _change(state_dir: str, by: Callable[[Run], Run]) -> None:
    run_store(state_dir).change(lambda run: (by(run), None))
