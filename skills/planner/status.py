"""`python3 -m skills.planner.status`: where a run is: phase, round, items by status, what waits for the user."""

import sys

from attrs import fields, frozen

from lib.workflow.ast.nodes import Document, Element
from lib.workflow.codec import codec
from lib.workflow.script import DONE, FORMS, run
from lib.workflow.types import GateStatus
from skills.planner.asking import parsed, printed, run_of
from skills.planner.due import Block, due
from skills.planner.gate import Way
from skills.planner.limits import MAX_ROUNDS
from skills.planner.phases import PLANNING
from skills.planner.rounds import decision
from skills.planner.schema.phase import Phase
from skills.planner.schema.review import ItemStatus, Review
from skills.planner.state.run_state import RunState

MODULE = "skills.planner.status"
DOES = "Print where a run is: its phase, its round, its items by status, and what waits for the user."


@frozen(kw_only=True)
class Status:
    """Where a run is."""

    state_dir: str
    task: str
    phase: Phase | None
    """The phase that is at work; None before the first and after the last."""
    round: int
    max_rounds: int
    todo: int
    passed: int
    failed: int
    """Items of the phase's review; all 0 where none has begun."""
    phases_passed: tuple[Phase, ...]
    due: str | None
    """The step that is due."""
    why: str
    command: str | None
    waits_for_user: bool
    answers: tuple[str, ...]
    """The headers of the questions that the user has answered."""


def status_of(state: RunState) -> Status:
    """Where the run is. Raises StateError for a file that cannot be used."""
    found, run = due(state), state.run
    row = next((each for each in PLANNING if run.gate(each.phase) is None), None)
    review = state.review(row.phase) if row else None
    gate = row is not None and found.step is not None and found.step.endswith(Block.ROUTE)
    asks = gate and row is not None and decision(state, row, found.status or GateStatus.FAIL).way is Way.ASK
    command = found.command(state.state_dir)
    return Status(
        state_dir=state.state_dir,
        task=run.task,
        phase=row.phase if row else None,
        round=review.iteration if review else 1,
        max_rounds=MAX_ROUNDS + (run.granted(row.phase) if row else 0),
        todo=_count(review, ItemStatus.TODO),
        passed=_count(review, ItemStatus.PASS),
        failed=_count(review, ItemStatus.FAIL),
        phases_passed=tuple(gate.phase for gate in run.gates),
        due=found.step,
        why=found.why,
        command=str(command) if command else None,
        waits_for_user=asks,
        answers=tuple(answer.header for answer in run.answers),
    )


def _count(review: Review | None, status: ItemStatus) -> int:
    return len(review.of(status)) if review else 0


def told(state: RunState) -> Document:
    """The status as a block; what is empty is left out."""
    status = status_of(state)
    values = {item.name: getattr(status, item.name) for item in fields(Status)}
    shown = {
        name: ", ".join(value) if isinstance(value, tuple) else str(value)
        for name, value in values.items()
        if value is not None
    }
    texts = [Element(name, {}, shown.pop(name)) for name in ("task", "why", "command") if shown.get(name)]
    return Document([Element("status", {name: text for name, text in shown.items() if text}, texts)])


def main(words: list[str]) -> int:
    """Prints it and returns the exit status."""

    def call() -> tuple[int, str]:
        arguments = parsed(MODULE, DOES, words, "json")
        if arguments.form == "json":
            return DONE, codec(Status).dumps(status_of(run_of(arguments)))
        return printed(arguments, told)

    return run(MODULE, words, FORMS, call)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
