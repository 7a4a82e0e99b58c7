"""States in which each of the planner's steps can be tried: the content of a run before the step."""

import os
from typing import Final

from attrs import evolve

from lib.workflow.core import Workflow

from .commands.beginning import init
from .commands.plan.context import freeze_context, write_context
from .execution.waves import waves
from .limits import MAX_LAPS, MAX_ROUNDS
from .next_step import STEPS, WAVE_NEXT, WAVE_STEPS, Block, step_id
from .phases import EXECUTING, PLANNING, RECONCILE, REVIEWING, ROWS, PhaseScript, PhaseSpec
from .review.hand_in import keep_content
from .schema.context import ContextField
from .schema.phase import Phase
from .schema.plan.decisions import Decision, PlanningContext
from .schema.plan.document import Overview, Plan, Wave
from .schema.plan.milestone import CodeChange, CodeIntent, Milestone
from .schema.review.document import ItemStatus, Review, ReviewItem
from .schema.run import Building, PassedGate, Round, Run, Submission, Verdict
from .state.files import change_run, digest_of, plan_store
from .state.reviews import review_store
from .state.run_state import RunState

TASK: Final = "add rate limiting"
ENTRIES: Final = {
    ContextField.TASK_SPEC: ("Limit each caller's requests", "out-of-scope: billing"),
    ContextField.CONSTRAINTS: ("MUST: no new service (user-specified)",),
    ContextField.ENTRY_POINTS: ("src/api.py:handle - every request passes it",),
}
ITEMS: Final = 20
"""The number of items in a review of planning."""
FEW: Final = 4
"""The number of items in other reviews, which the same steps verify."""
AFTER_ITEMS: Final = ("atomicity", "coverage", "finalize")
"""The steps of a decomposition that need existing items."""
GROUPS: Final = ("scope", "risk", "waves", "files", "overview")
DIGEST: Final = "0" * 64
DIFF: Final = "--- /dev/null\n+++ b/src/api.py\n@@ -0,0 +1 @@\n+LIMIT = 10\n"
PLAN: Final = Plan(
    overview=Overview(problem="Callers flood the API", approach="Count and refuse"),
    planning_context=PlanningContext(decisions=(Decision(id="DL-001", decision="In memory", reasoning="one process"),)),
    milestones=(
        Milestone(
            id="M-001",
            name="Limiter",
            files=("src/api.py",),
            acceptance_criteria=("the 11th request of a second gets 429",),
            code_intents=(
                CodeIntent(id="CI-M-001-001", file="src/api.py", behavior="refuses", decision_refs=("DL-001",)),
            ),
            code_changes=(CodeChange(id="CC-M-001-001", intent_ref="CI-M-001-001", file="src/api.py", diff=DIFF),),
        ),
    ),
    waves=(Wave(id="W-001", milestones=("M-001",)),),
)
"""The plan that is executed."""


def stage(workflow: Workflow, step: str, directory: str) -> None:
    """Make the state directory that `--state-dir` names, with the state that the step needs."""
    state_dir = os.path.join(directory, "state_dir")
    os.mkdir(state_dir)
    begin(workflow, step, state_dir)


def begin(workflow: Workflow, step: str, state_dir: str) -> None:
    """Fill an empty state directory for a step of one of the planner's workflows. The run has always started."""
    init(state_dir, TASK, project_root=state_dir)
    if step == STEPS[0]:
        return
    write_context(state_dir, {name: ENTRIES.get(name, ()) for name in ContextField})
    freeze_context(state_dir)
    if step == STEPS[1]:  # the depth is not chosen yet, so all outcomes are possible from here on
        return
    if step in WAVE_STEPS or workflow.module == RECONCILE:
        _approved(state_dir)
    if step == WAVE_NEXT:
        _last_lap(state_dir)
    for row in ROWS:
        _in_phase(workflow, step, state_dir, row)


def _in_phase(workflow: Workflow, step: str, state_dir: str, row: PhaseSpec) -> None:
    for block in Block:
        if step == step_id(row, block):
            _orchestrated(state_dir, row, block)
    for part in PhaseScript:
        if workflow.module == row.module(part):
            _scripted(state_dir, row, part, step)


def _orchestrated(state_dir: str, row: PhaseSpec, block: Block) -> None:
    _begun(state_dir, row)
    if block is Block.WORK:
        return
    plan_store(state_dir).change(lambda _: (PLAN, None))
    _submitted(state_dir, row, 1)
    if block is Block.VERIFY:
        review_store(state_dir, row.phase).create(_review(row, 1))
    if block is Block.ROUTE:  # at the last round, where every outcome is possible
        _submitted(state_dir, row, MAX_ROUNDS)
        review_store(state_dir, row.phase).create(_review(row, MAX_ROUNDS, judged=True))


def _scripted(state_dir: str, row: PhaseSpec, part: PhaseScript, step: str) -> None:
    _begun(state_dir, row)
    if part in (PhaseScript.FIX, *REVIEWING):
        _submitted(state_dir, row, 1)
    if part is PhaseScript.FIX:
        review_store(state_dir, row.phase).create(_review(row, 2, judged_in=1))
    if part is PhaseScript.VERIFY or step in AFTER_ITEMS:
        review_store(state_dir, row.phase).create(_review(row, 1))


def _review(row: PhaseSpec, iteration: int, judged: bool = False, judged_in: int | None = None) -> Review:
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
        for number in range(1, (FEW if row in EXECUTING else ITEMS) + 1)
    ]
    return Review(phase=row.phase, iteration=iteration, items=tuple(items))


def _approved(state_dir: str) -> None:
    plan_store(state_dir).change(lambda _: (PLAN, None))
    change_run(state_dir, lambda run: evolve(run, approval=digest_of(PLAN), waves=waves(PLAN)))
    _passed(state_dir, *PLANNING)


def _begun(state_dir: str, row: PhaseSpec) -> None:
    """Pass the phases before it and, for a phase of execution, start a wave."""
    if row in EXECUTING:
        _approved(state_dir)
        building = Building(wave="W-001", code=("M-001",))
        change_run(state_dir, lambda run: evolve(run, building=building))
    _passed(state_dir, *ROWS[: ROWS.index(row)])


def _last_lap(state_dir: str) -> None:
    """Let a check of the project fail in the last lap before the user decides, where every outcome is possible."""
    verdict = Verdict(item="make test", status=ItemStatus.FAIL, finding="It ends with exit status 1")
    failed = Round(phase=Phase.IMPL_CODE, wave="W-001", lap=MAX_LAPS, iteration=1, verdicts=(verdict,))
    building = Building(wave="W-001", lap=MAX_LAPS, code=("M-001",))
    change_run(state_dir, lambda run: evolve(run, building=building, checks=(failed,)))
    _passed(state_dir, *ROWS)


def _passed(state_dir: str, *rows: PhaseSpec) -> None:
    def gate(run: Run, row: PhaseSpec) -> PassedGate:
        phase, wave, lap = run.at(row.phase)
        return PassedGate(phase=phase, wave=wave, lap=lap, plan_digest=DIGEST)

    change_run(state_dir, lambda run: evolve(run, gates=tuple(gate(run, row) for row in rows)))


def _submitted(state_dir: str, row: PhaseSpec, iteration: int) -> None:
    digest = keep_content(RunState(state_dir), row)

    def more(run: Run) -> tuple[Submission, ...]:
        phase, wave, lap = run.at(row.phase)
        one = Submission(phase=phase, wave=wave, lap=lap, iteration=iteration, digest=digest)
        return tuple(evolve(one, milestone=name) for name in run.awaited(row.phase, iteration))

    change_run(state_dir, lambda run: evolve(run, submissions=(*run.submissions, *more(run))))
