"""A run as a document for people: its status, open questions, the plan, and the findings of each round of review."""

import os
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from attrs import evolve

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Code, Document
from lib.workflow.ast.prose import Tone, bullets, item, labelled, section
from lib.workflow.state.consent import Wish, begun, mark, root_of
from lib.workflow.state.run_documents import has_document

from .phases import ROWS
from .queries import consent as queries
from .reports.plan_document import parts
from .schema.phase import Phase
from .schema.review.correction import Correction
from .schema.review.document import ItemStatus, Review, ReviewItem
from .schema.run import Contest, Grant, PassedGate, Reopening, Round, Run, Verdict
from .state.files import PLAN_FILE, RUN_FILE, change_run
from .state.run_state import RunState
from .status import Status, status_of

Entry: TypeAlias = Round | Contest | Grant | PassedGate
TONES = {ItemStatus.PASS: Tone.GOOD, ItemStatus.FAIL: Tone.BAD, ItemStatus.TODO: Tone.OPEN}


def report(state_dir: str) -> Document | None:
    """Return the run in that folder; None if it is not a planner's run. Raises StateError for a broken one."""
    state = _found(state_dir)
    if state is None:
        return None
    made = section(
        "Report of a plan",
        *_standing(state),
        *parts(state.plan),
        section("Review history", *_history(state.run, _reviews(state))),
        section("Answers of the user", *(labelled(each.header, each.text) for each in state.run.answers)),
    )
    return Document([made or Code(text=state.run.task)])


def brief(state_dir: str) -> Document | None:
    """Return the status of the run in that folder and its open questions. Returns None and raises as `report`."""
    state = _found(state_dir)
    return Document([part for part in _standing(state) if part]) if state else None


def is_over(state_dir: str) -> bool | None:
    """Return True if that run is complete or was ended by the user. Returns None and raises as `report`."""
    state = _found(state_dir)
    return (state.run.finished or state.run.aborted) if state else None


def about(state_dir: str) -> str:
    """Return the task of that run of the planner. Raises as `report`."""
    return RunState(state_dir).run.task


def wish(state_dir: str) -> Wish | None:
    """Return the actions that the run would take if it went on. Returns None and raises as `report`."""
    state = _found(state_dir)
    return queries.wish(state) if state else None


def adopt(state_dir: str) -> None:
    """Mark that run as agreed to by this user, in the project that contains it. Raises RefusedError if it cannot."""
    state = RunState(state_dir)
    root = root_of(state.state_dir, state.run.project_root, begun(state.state_dir))
    change_run(state.state_dir, lambda run: evolve(run, project_root=root))
    mark(state.state_dir, root)


def _found(state_dir: str) -> RunState | None:
    there = all(has_document(os.path.join(state_dir, name)) for name in (RUN_FILE, PLAN_FILE))
    return RunState(state_dir) if there else None


def _reviews(state: RunState) -> Mapping[Phase, Review]:
    return {row.phase: review for row in ROWS if (review := state.review(row.phase)) is not None}


def _standing(state: RunState) -> tuple[Node | None, ...]:
    status = status_of(state)
    opens = section("Open questions", *_open(status, state.run, _reviews(state)))
    return section("The run", *_run(status, state.run)), opens


def _run(status: Status, run: Run) -> Iterator[Node | None]:
    yield labelled("Task", status.task)
    yield labelled("Project", run.project_root)
    yield labelled("Run", run.id)
    yield labelled("Phase", f"{status.phase}, round {status.round} of {status.max_rounds}" if status.phase else None)
    yield labelled("Passed", ", ".join((*status.waves_passed, *status.phases_passed)))
    yield labelled("Items", _items(status))
    yield labelled("Next", status.why)
    yield labelled("Command", Code(language="sh", text=status.command) if status.command else None)
    yield labelled("Consent", status.consent, tone=Tone.OPEN)


def _items(status: Status) -> str:
    some = status.todo + status.passed + status.failed
    return f"{status.passed} of {some} passed, {status.failed} failed, {status.todo} to do" if some else ""


def _open(status: Status, run: Run, reviews: Mapping[Phase, Review]) -> Iterator[Node | None]:
    """Yield open questions: the user's decision, and every finding that was neither fixed nor accepted."""
    if status.waits_for_user:
        yield labelled("The user decides", status.why, tone=Tone.OPEN)
    accepted = {(gate.phase, name) for gate in run.gates for name in gate.accepted}
    for review in reviews.values():
        for each in review.of(ItemStatus.FAIL):
            if (review.phase, each.id) not in accepted:
                yield labelled(f"{review.phase}, {each.id}: {each.check}", each.finding, tone=Tone.BAD)


def _history(run: Run, reviews: Mapping[Phase, Review]) -> Iterator[Node | None]:
    """Yield each phase: its entries in the ledger, in every wave and lap, and its current review."""
    for phase in Phase:
        review = reviews.get(phase)
        every: tuple[Entry, ...] = (*run.rounds, *run.contests, *run.grants, *run.gates)
        entries = [each for each in every if each.phase is phase]
        ledger = (each for at in dict.fromkeys(each.at for each in entries) for each in entries if each.at == at)
        items = {each.id: each for each in review.items} if review else {}
        now = (
            section(
                f"Round {review.iteration}, not finished",
                bullets(*map(_reviewed, review.items)),
                *(labelled("Remark", remark) for remark in review.remarks),
            )
            if review
            else None
        )
        yield section(str(phase), *(_entry(each, items) for each in ledger), now)
    yield section("The project's own checks", *(_entry(each, {}) for each in run.checks))
    yield section("Taken back by the user", *map(_taken_back, run.reopened))


def _taken_back(each: Reopening) -> Node | None:
    """Return the findings and gates that the user took back, and the reason."""
    entries: tuple[Entry, ...] = (*each.rounds, *each.contests, *each.grants, *each.gates)
    rows = (_entry(entry, {}) for entry in entries)
    return section(f"{each.phase} and what follows it", labelled("Reason", each.reason), *rows)


def _entry(entry: Entry, items: Mapping[str, ReviewItem]) -> Node | None:
    where = f", wave {entry.wave}" if entry.wave else ""
    where += f", lap {entry.lap}" if entry.lap > 1 else ""
    if isinstance(entry, Grant):
        return labelled(f"Round {entry.iteration} granted{where}", "by the user")
    if isinstance(entry, Contest):
        return labelled(f"Contested before round {entry.iteration}{where}: {entry.item}", entry.case)
    if isinstance(entry, PassedGate):
        accepted = ", ".join(entry.accepted)
        how = [f"accepted by the user as they are: {accepted}"] if accepted else []
        how += [f"remarks: {'; '.join(entry.remarks)}"] if entry.remarks else []
        return labelled(f"Gate passed{where}", "; ".join(how) or "every item of the review is PASS", tone=Tone.GOOD)
    return section(f"Round {entry.iteration}{where}", bullets(*(_verdict(each, items) for each in entry.verdicts)))


def _verdict(verdict: Verdict, items: Mapping[str, ReviewItem]) -> Node | None:
    now = items.get(verdict.item)
    label, check = f"{verdict.status}: {verdict.item}", verdict.check or (now.check if now else None)
    findings = _findings(verdict.finding, verdict.corrections)
    return item(labelled(label, check, *findings, tone=TONES[verdict.status]) or label)


def _findings(finding: str | None, corrections: tuple[Correction, ...]) -> Iterator[Node | None]:
    """Yield the finding, and those that it replaced in its round."""
    yield labelled("Finding", finding)
    for each in corrections:
        yield labelled("Finding before", each.finding, labelled("Replaced because", each.reason))


def _reviewed(each: ReviewItem) -> Node | None:
    about = ", ".join(filter(None, (each.scope, each.category, each.severity, each.group and f"group {each.group}")))
    shown = [*_findings(each.finding, each.corrections), labelled("Evidence", each.evidence)]
    return item(labelled(f"{each.status}: {each.id}", each.check, f"({about})", *shown, tone=TONES[each.status]))
