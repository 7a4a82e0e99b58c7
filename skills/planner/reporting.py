"""A run as a document for people: where it is, what is open, the plan, and what each round of review found."""

import os
from collections.abc import Iterator

from lib.workflow.ast.declare import Node
from lib.workflow.ast.nodes import Code, Document
from lib.workflow.ast.prose import Tone, bullets, item, labelled, section

from .document import parts
from .phases import ROWS
from .schema.review import ItemStatus, Review, ReviewItem
from .schema.run import Round, Run
from .state.run_state import RunState
from .status import Status, status_of

TONES = {ItemStatus.PASS: Tone.GOOD, ItemStatus.FAIL: Tone.BAD, ItemStatus.TODO: Tone.OPEN}


def report(state_dir: str) -> Document | None:
    """The run in that folder; None where it holds none of the planner's. Raises StateError for a broken one."""
    if not all(os.path.exists(os.path.join(state_dir, name)) for name in ("run.json", "plan.json")):
        return None
    state = RunState(state_dir)
    reviews = [review for row in ROWS if (review := state.review(row.phase)) is not None]
    made = section(
        "Report of a plan",
        section("The run", *_run(status_of(state))),
        section("Open questions", *_open(status_of(state), state.run, reviews)),
        *parts(state.plan),
        section("Review history", *_history(state.run, reviews)),
        section("Answers of the user", *(labelled(each.header, each.text) for each in state.run.answers)),
    )
    return Document([made or Code(text=state.run.task)])


def _run(status: Status) -> Iterator[Node | None]:
    yield labelled("Task", status.task)
    yield labelled("Phase", f"{status.phase}, round {status.round} of {status.max_rounds}" if status.phase else None)
    yield labelled("Passed", ", ".join(status.phases_passed))
    yield labelled("Next", status.why)


def _open(status: Status, run: Run, reviews: list[Review]) -> Iterator[Node | None]:
    """What waits for somebody: the user's decision, and every finding that no round has closed and nobody accepted."""
    if status.waits_for_user:
        yield labelled("The user decides", status.why, tone=Tone.OPEN)
    accepted = {(gate.phase, name) for gate in run.gates for name in gate.accepted}
    for review in reviews:
        for each in review.of(ItemStatus.FAIL):
            if (review.phase, each.id) not in accepted:
                yield labelled(f"{review.phase}, {each.id}: {each.check}", each.finding, tone=Tone.BAD)


def _history(run: Run, reviews: list[Review]) -> Iterator[Node | None]:
    for review in reviews:
        items = {each.id: each for each in review.items}
        rounds = (_round(each, items) for each in run.rounds if each.phase is review.phase)
        now = bullets(*(_item(each.id, each.check, each.status, each.finding) for each in review.items))
        yield section(str(review.phase), *rounds, section(f"Round {review.iteration}, as it stands", now))


def _round(closed: Round, items: dict[str, ReviewItem]) -> Node | None:
    wave = f", wave {closed.wave}" if closed.wave else ""
    verdicts = (
        _item(each.item, items[each.item].check if each.item in items else None, each.status, each.finding)
        for each in closed.verdicts
    )
    return section(f"Round {closed.iteration}{wave}", bullets(*verdicts))


def _item(name: str, check: str | None, status: ItemStatus, finding: str | None) -> Node | None:
    shown = labelled(f"{status}: {name}", check, labelled("Finding", finding), tone=TONES[status])
    return item(shown)
