"""`python3 -m skills.planner.status`: the status of a run: phase, round, items by status, questions to the user."""

import sys

from attrs import fields, frozen

from lib.workflow.ast.nodes import Document, Element
from lib.workflow.cli.script import DONE, JSON, run
from lib.workflow.codec import codec
from lib.workflow.state.consent import how
from lib.workflow.util.characters import plain_json
from skills.planner.limits import MAX_ROUNDS
from skills.planner.modules import STATUS
from skills.planner.next_step import WAVE_NEXT, Block, due
from skills.planner.phases import ROWS, PhaseSpec, max_rounds, planning_of, wave_of
from skills.planner.queries.arguments import FORMS, parsed, printed, run_of
from skills.planner.review.gate import Way
from skills.planner.review.rounds import decision
from skills.planner.schema.phase import Phase
from skills.planner.schema.review.document import ItemStatus, Review
from skills.planner.schema.run import Run
from skills.planner.state.reviews import round_of
from skills.planner.state.run_state import RunState

DOES = "Print the status of a run: its phase, round, items by status, and open questions for the user."


@frozen(kw_only=True)
class Status:
    """The status of a run."""

    state_dir: str
    task: str
    phase: Phase | None
    """The current phase; None between planning and building, between waves, and after the last."""
    wave: str | None
    """The wave being built."""
    lap: int
    """The lap; above 1 if the project's own checks failed after the reviews had passed."""
    waves_passed: tuple[str, ...]
    milestones_handed_in: tuple[str, ...]
    milestones_open: tuple[str, ...]
    """The milestones with code in the wave that are not handed in."""
    checks_failed: tuple[str, ...]
    """The project's own checks that fail in this lap."""
    round: int
    max_rounds: int
    todo: int
    passed: int
    failed: int
    """The number of items of the phase's review by status; all 0 without a review."""
    phases_passed: tuple[Phase, ...]
    """The passed phases: those of planning and, while building, of the wave."""
    due: str | None
    """The next step."""
    why: str
    command: str | None
    waits_for_user: bool
    answers: tuple[str, ...]
    """The headers of the questions that the user has answered."""
    consent: str | None
    """The way to agree to the run, after which it has a command; None for a run of the user's own."""


def status_of(state: RunState) -> Status:
    """Return the status of the run. Raises StateError for an unusable file."""
    found, run = due(state), state.run
    row = _at_work(run)
    review = state.review(row.phase) if row else None
    gate = row is not None and found.step is not None and found.step.endswith(Block.ROUTE)
    asks = gate and row is not None and decision(state, row).way is Way.ASK
    asks = asks or bool(run.failing and found.step == WAVE_NEXT)
    command = found.command(state.state_dir) if state.is_yours else None
    building = run.building
    open_ = [name for name in run.awaited(Phase.IMPL_CODE, 1) if name]
    return Status(
        state_dir=state.state_dir,
        task=run.task,
        phase=row.phase if row else None,
        wave=building.wave if building else None,
        lap=building.lap if building else 1,
        waves_passed=run.waves_passed,
        milestones_handed_in=tuple(name for name in building.code if name not in open_) if building else (),
        milestones_open=tuple(open_),
        checks_failed=tuple(each.item for each in run.failing),
        round=round_of(review),
        max_rounds=max_rounds(run, row) if row else MAX_ROUNDS,
        todo=_count(review, ItemStatus.TODO),
        passed=_count(review, ItemStatus.PASS),
        failed=_count(review, ItemStatus.FAIL),
        phases_passed=tuple(row.phase for row in ROWS if run.gate(row.phase)),
        due=found.step,
        why=found.why,
        command=str(command) if command else None,
        waits_for_user=asks,
        answers=tuple(answer.header for answer in run.answers),
        consent=None if state.is_yours else how(state.state_dir),
    )


def _at_work(run: Run) -> PhaseSpec | None:
    """Return the phase that waits for its gate; None if none exists."""
    rows = planning_of(run) if run.approval is None else wave_of(run) if run.building else ()
    return next((row for row in rows if run.gate(row.phase) is None), None)


def _count(review: Review | None, status: ItemStatus) -> int:
    return len(review.of(status)) if review else 0


def _text(value: "tuple[str, ...] | bool | int | str") -> str:
    if isinstance(value, tuple):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def document_of(state: RunState) -> Document:
    """Return the status as a block, without empty values."""
    status = status_of(state)
    values = {item.name: getattr(status, item.name) for item in fields(Status)}
    shown = {name: _text(value) for name, value in values.items() if value is not None}
    texts = [Element(name, {}, shown.pop(name)) for name in ("task", "why", "command", "consent") if shown.get(name)]
    return Document([Element("status", {name: text for name, text in shown.items() if text}, texts)])


def main(words: list[str]) -> int:
    """Print the status and return the exit status."""

    def call() -> tuple[int, str]:
        arguments = parsed(f"python3 -m {STATUS}", DOES, words)
        if arguments.form == JSON:
            return DONE, plain_json(codec(Status).dumps(status_of(run_of(arguments))))
        return printed(arguments, document_of)

    return run(STATUS, words, FORMS, call)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
